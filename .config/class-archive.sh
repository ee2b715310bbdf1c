# Sourced by commands, under set -euo pipefail: an archive of the classes that a short command loads, and from JDK 25 on
# (JEP 483, 514, 515) of their state and profiles, so that it need not find, read and verify them each time.
# $java, $command and CLASSPATH are the caller's, and jvm-key.sh is sourced.

# What a JVM says of an archive that it does not like stands in several lines, on standard output. Without the check of
# its sum, an archive with a wrong byte ends the JVM.
archive_quiet=(-XX:+VerifySharedSpaces -Xlog:disable "-Xlog:all=warning,cds*=off:stderr")

# make_archive FILE MAIN OPTION…: runs MAIN, and writes an archive of what it loads.
make_archive() {
    local file="$1" main="$2"
    shift 2
    if [ "$(jdk_version)" -ge 25 ]; then
        timeout -k 5 60 "$java" "-XX:AOTCacheOutput=$file" "${archive_quiet[@]}" "$@" "$main"
        return
    fi
    # At the end of a run, JDK 17 archives no classes of Java 5, which picocli's are.
    timeout -k 5 60 "$java" "-XX:DumpLoadedClassList=$file.list" "$@" "$main" \
        && timeout -k 5 60 "$java" -Xshare:dump "-XX:SharedClassListFile=$file.list" "-XX:SharedArchiveFile=$file" \
            "${archive_quiet[@]}" "$@"
    rm -f "$file.list"
}

# class_archive FOLDER MAIN OPTION…: sets archive to the flags of a JVM with these options that use the archive in
# FOLDER, which MAIN, run once, makes; to nothing where there is none, or JVRPC_CLASS_ARCHIVE is 0. Those of other
# builds, JDKs and class paths are removed. Whatever goes wrong, there is no archive, and that is all.
class_archive() {
    local folder="$1" main="$2" made new how=SharedArchiveFile
    shift 2
    archive=()
    [ "${JVRPC_CLASS_ARCHIVE:-1}" != 0 ] || return 0
    made="$folder/$(jvm_key "$@").archive"
    if [ "$(jdk_version)" -ge 25 ]; then
        how=AOTCache archive_quiet[2]="-Xlog:all=warning,aot*=off,cds*=off:stderr"
    fi
    if [ ! -e "$made" ]; then
        new="$made.new.$$"
        mkdir -p "$folder" 2> /dev/null && { : > "$new"; } 2> /dev/null || return 0
        rm -f "$new"
        echo "$command: making an archive of its classes, once (JVRPC_CLASS_ARCHIVE=0: without)" >&2
        make_archive "$new" "$main" "$@" > "$folder/log" 2>&1 < /dev/null || rm -f "$new"
        find "$folder" -maxdepth 1 -name '*.archive*' ! -path "$new*" ! -path "$made" -mmin +2 -delete 2> /dev/null \
            || true
        # An empty one says that it was tried.
        [ -s "$new" ] || { : > "$new"; } 2> /dev/null || return 0
        mv -f "$new" "$made" 2> /dev/null || return 0
        [ -s "$made" ] || echo "$command: there is none, see $folder/log; delete $made to try again" >&2
    fi
    [ ! -s "$made" ] || archive=("-XX:$how=$made" "${archive_quiet[@]}")
}
