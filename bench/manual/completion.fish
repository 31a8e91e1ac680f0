# fish completion of daelab, written of the program's tables

function __daelab_first
    test (count (commandline -opc)) -eq 1
end

function __daelab_in
    set -l words (commandline -opc)
    test (count $words) -ge 2; and contains -- $words[2] $argv
end

# What a line holds besides options: problems and study files are among it.
function __daelab_others
    set -l words (commandline -opc)
    string match -v -- '-*' $words[3..-1] | string split ,
end

# The parameters of the problems on the line; the parts of its study files.
function __daelab_parameters
    for name in (__daelab_others)
        $argv[1] info $name 2>/dev/null | sed -n '/^parameters:/,/^[^ p]/s/^    \([^ ]*\) *= .*/\1/p'
    end
end
function __daelab_parts
    for name in (__daelab_others)
        test -f $name; and sed -n 's/^\([^#]*[ {]\)*name: *\([^ ,}#]*\).*/\2/p' $name
    end
end

# Values by a specification: those of daelab list are asked for, as files may add some. time: and L= go on.
function __daelab_take
    set -l words (commandline -opc)
    set -l program $words[1]
    set -l head ''
    set -l tail ''
    set -l current (commandline -ct | string replace -r -- '^--[a-z-]+=' '')
    set -l files
    switch "$argv[1]"
        case @list
            set head (string replace -r -- '[^,]*$' '' "$current")
            set -e argv[1]
        case @pair
            set head (string replace -r -- '[^:]*$' '' "$current")
            test -n "$head"; or set tail :
            set -e argv[1]
        case @parameters
            string match -q -- '*=*' "$current"; and return
            set tail =
    end
    for item in $argv
        switch $item
            case @files
                set files 1
            case @parameters
                __daelab_parameters $program | __daelab_behind "$head" "$tail"
            case @parts
                __daelab_parts | __daelab_behind "$head"
            case '@*'
                $program list (string sub -s 2 -- $item) --format csv 2>/dev/null | tail -n +2 |
                    string replace -r ',.*' '' | __daelab_behind "$head"
            case all
                test -n "$head"; or echo all
            case '*'
                echo $item | __daelab_behind "$head" "$tail"
        end
    end
    if test -n "$files"; and string match -q -- '*/*' "$current"     # ./bead.c is a file, bead a name
        __fish_complete_path (string replace -r -- '^.*,' '' "$current") | __daelab_behind "$head"
    end
end

# Lines with what stands before and behind them, but for those that it holds.
function __daelab_behind
    while read -l name
        contains -- $name (string split , -- "$argv[1]"); or echo "$argv[1]$name$argv[2]"
    end
end

complete -c daelab -f
#: fish commands
#: fish options
