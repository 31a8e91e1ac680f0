#!/bin/sh
# portable.sh SOURCE - what one system has and another has not is used in the files that are for it, only there
set -eu
cd "$1"
status=0

# only PATTERN FILE...: the extended pattern is found in each of these files, and in no other source
only() {
    pattern=$1
    shift
    grep -rlE --include='*.[ch]' "$pattern" include src bench tools problems examples templates | sort >"$work/found"
    printf '%s\n' "$@" | sort >"$work/allowed"
    comm -23 "$work/found" "$work/allowed" >"$work/wrong"
    comm -13 "$work/found" "$work/allowed" >"$work/idle"
    while read -r file; do
        echo "$file: $(grep -nE -m 1 "$pattern" "$file"): write it in $*" >&2
        status=1
    done <"$work/wrong"
    while read -r file; do
        echo "$file no longer has $pattern: this test looks for nothing" >&2
        status=1
    done <"$work/idle"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# binary128: its types, literals and functions
quad_function='\b(fabs|fmax|fmin|sin|cos|sqrt|exp|log|pow)q\b'
only "_Float128|__float128|(^|[^A-Za-z_])[a-z0-9_]+f128\b|[0-9]q\b|flt128|quadmath_|$quad_function" \
     include/daelab/quad.h

# what is not in POSIX: bench/host/platform.h is asked instead
headers='<link[.]h>|<elf[.]h>|<malloc[.]h>'
names='O_TMPFILE|dl_iterate_phdr|dl_phdr_info|ElfW|mallinfo2\(|malloc_trim|prctl|sched_[gs]et|cpu_set_t|pipe2'
only "\"/proc|$headers|$names|F_SETPIPE_SZ|fdatasync|[.]ru_maxrss" bench/host/platform_elf.c bench/host/platform_linux.c
exit $status
