# scratch.sh - for the tests in shell, which begin with it: a folder $work, removed at the end, with the cache of
# references in it; and what stands on the pages of $source
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export DAELAB_CACHE="$work/cache"

# The fenced block of the README or a page of docs that begins behind the line <!-- NAME -->; there has to be one.
block() {
    awk -v mark="<!-- $1 -->" 'FNR == 1 {seen = 0} $0 == mark {seen = 1; next}
        seen && /^```/ {if (inside) exit; inside = 1; next}
        inside {print; some = 1} END {exit !some}' "$source/README.md" "$source"/docs/*.md
}
