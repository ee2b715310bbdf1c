# Sourced by run, under set -euo pipefail: AOT caches of both halves (JEP 483, 514, 515), where the JDK is 25 or later.
# They hold loaded classes and the profiles of a rehearsal, so that hot methods are compiled for good at once.
# $java, $command and CLASSPATH are the caller's.

. "$(dirname "${BASH_SOURCE[0]}")/../../.config/jvm-key.sh"

aot_first_jdk=25
# What a JVM says of caches stands in several lines, on standard output; Quickstart says it in one. Without the check of
# its sum, a cache with a wrong byte ends the JVM.
aot_both=(-XX:+VerifySharedSpaces -Xlog:disable "-Xlog:all=warning,aot*=off,cds*=off:stderr")

# aot_key: prints what tells a build, a JDK, its options and a class path from others. Fails where there are no such
# caches.
aot_key() {
    [ "$(jdk_version)" -ge "$aot_first_jdk" ] || return 1
    jvm_key
}

# aot_tried FOLDER: true where there are both caches, or the mark of a rehearsal that failed.
aot_tried() {
    [ -f "$1/failed" ] || { [ -f "$1/client.aot" ] && [ -f "$1/server.aot" ]; }
}

# aot_rehearse FOLDER SECONDS: lets both halves run once, and has their JVMs write the caches when they end.
aot_rehearse() {
    local pid folder="$1" status=0
    JVRPC_QUICKSTART_SERVER_JVM="$(printf '%s\n' "-XX:AOTCacheOutput=$1/server.aot" "${aot_both[@]}")" \
        timeout -k 10 "$((10#$2 + 120))" \
        "$java" "-XX:AOTCacheOutput=$1/client.aot" "${aot_both[@]}" org.jvrpc.samples.quickstart.Quickstart \
        --seconds "$2" > "$1/log" 2>&1 < /dev/null &
    pid=$!
    # Without its folder nobody writes a cache, which takes seconds.
    trap 'rm -rf "$folder"; kill "$pid" 2> /dev/null || true; wait "$pid" || true; rm -rf "$folder"; exit 130' \
        INT TERM HUP
    wait "$pid" || status=$?
    trap - INT TERM HUP
    if [ "$status" -ne 0 ] || ! aot_tried "$1"; then
        rm -f "$1"/*.aot* 2> /dev/null || true
        touch "$1/failed" 2> /dev/null || true
    fi
}

# aot_caches FOLDER: sets aot to the folder in FOLDER with the caches for this JDK and class path, which a rehearsal
# makes once; to nothing where there are none, or JVRPC_QUICKSTART_REHEARSAL, which is its seconds, is 0. Others are
# removed. Whatever goes wrong, there are no caches, and that is all.
aot_caches() {
    local key new made seconds="${JVRPC_QUICKSTART_REHEARSAL:-6}" others=
    aot=
    case "$seconds" in
        0) return 0 ;;
        '' | *[!0-9]* | ????????*)
            echo "$command: JVRPC_QUICKSTART_REHEARSAL=$seconds is no number of seconds: no AOT caches" >&2
            return 0
            ;;
    esac
    key="$(aot_key)" || return 0
    made="$1/$key"
    if ! aot_tried "$made"; then
        new="$1/new.$$"
        if [ ! -d "$made" ] && compgen -G "$1/[0-9]*" > /dev/null; then
            others="AOT caches of another build, JDK or class path are ignored: "
        fi
        mkdir -p "$new" 2> /dev/null || return 0
        echo "$command: ${others}rehearsing for $seconds s, once (JVRPC_QUICKSTART_REHEARSAL=0: without)" >&2
        aot_rehearse "$new" "$seconds"
        if aot_tried "$made"; then
            rm -rf "$new" 2> /dev/null || true # another run was first
        else
            find "$1" -mindepth 1 -maxdepth 1 \( ! -name 'new.*' -o -mmin +10 \) -exec rm -rf {} + 2> /dev/null || true
            mv -T "$new" "$made" 2> /dev/null || rm -rf "$new" 2> /dev/null || true
            [ ! -f "$made/failed" ] \
                || echo "$command: it failed and left no AOT caches, see $made/log; delete $made to try again" >&2
        fi
    fi
    if [ -f "$made/client.aot" ] && [ -f "$made/server.aot" ]; then
        aot="$made"
    fi
}

# aot_flags END: prints the flags that have the JVM of an end use its cache, one a line; nothing where $aot is empty.
aot_flags() {
    [ -z "$aot" ] || printf '%s\n' "-XX:AOTCache=$aot/$1.aot" "-Djvrpc.quickstart.aot=$aot/$1.aot" "${aot_both[@]}"
}
