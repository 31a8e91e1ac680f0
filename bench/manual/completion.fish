# fish completion of daelab: the program says what may stand in place of the last word
function __daelab
    set -l words (commandline -opc) (commandline -ct)
    for reply in ($words[1] --complete $words[2..-1] 2>/dev/null)
        set -l parts (string split -m 1 \t -- $reply)
        if test "$parts[1]" = @files
            for file in (__fish_complete_path (string replace -- "$parts[2]" '' $words[-1]))
                echo $parts[2]$file
            end
        else
            echo $reply
        end
    end
end

complete -c daelab -f -a '(__daelab)'
