# verdicts.sh - the verdicts on orders in what `daelab converge ... --format json` has written

# all_agree FILE LEAST: are there so many at least, and all of them "agrees"? It lists them.
all_agree() {
    verdicts=$(grep -oE '"(agrees|above|below|not (declared|determined))"' "$1" | sort | uniq -c)
    echo "$verdicts"
    [ "$(grep -o '"agrees"' "$1" | wc -l)" -ge "$2" ] && ! echo "$verdicts" | grep -v -q '"agrees"'
}
