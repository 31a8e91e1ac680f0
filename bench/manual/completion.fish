# fish completion of daelab, written of the program's tables

function __daelab_first
    test (count (commandline -opc)) -eq 1
end

function __daelab_in
    set -l words (commandline -opc)
    test (count $words) -ge 2; and contains -- $words[2] $argv
end

# Values by a specification: those of daelab list are asked for, as files may add some.
function __daelab_take
    set -l words (commandline -opc)
    set -l program $words[1]
    set -l head ''
    set -l current (commandline -ct | string replace -r -- '^--[a-z-]+=' '')
    set -l files
    if test "$argv[1]" = @list
        set head (string replace -r -- '[^,]*$' '' "$current")
        set -e argv[1]
    end
    for item in $argv
        switch $item
            case @files
                set files 1
            case '@*'
                $program list (string sub -s 2 -- $item) --format csv 2>/dev/null | tail -n +2 |
                    string replace -r ',.*' '' | __daelab_behind "$head"
            case all
                test -n "$head"; or echo all
            case '*'
                echo $item | __daelab_behind "$head"
        end
    end
    if test -n "$files"; and string match -q -- '*/*' "$current"     # ./bead.c is a file, bead a name
        __fish_complete_path (string replace -r -- '^.*,' '' "$current") | __daelab_behind "$head"
    end
end

# Lines with what stands before them, but for those that it holds.
function __daelab_behind
    while read -l name
        contains -- $name (string split , -- "$argv[1]"); or echo "$argv[1]$name"
    end
end

complete -c daelab -f
#: fish commands
#: fish options
