# Sourced by the commands of this repository, under set -euo pipefail. Sets java, the program, and gives build_if_stale.
# $command, the command's name for its messages, and $root, the repository's folder, are the caller's.

fail() {
    echo "$command: $*" >&2
    exit 1
}

if [ -n "${JAVA_HOME:-}" ]; then
    java="$JAVA_HOME/bin/java"
    [ -x "$java" ] || fail "JAVA_HOME=$JAVA_HOME has no bin/java"
else
    java="$(command -v java)" || fail "no java: set JAVA_HOME or put java on PATH"
fi

# jar MODULE: prints the module's jar, or nothing.
jar() {
    find "$root/$1/target" -maxdepth 1 -name 'jvrpc-*.jar' ! -name '*-tests.jar' ! -name '*-sources.jar' \
        ! -name '*-javadoc.jar' -print -quit 2> /dev/null
}

# is_built MODULE CLASSPATH: succeeds when nothing that goes into the class path is newer than the last build: sources
# and poms of the module and of those whose jars are on it, their tests where those are, and the code generator's. A
# folder is newer when a file in it was deleted.
is_built() {
    local target="$root/$1/target" entries=() entry
    [ -f "$target/$2.built" ] && [ -f "$target/$2" ] && [ -n "$(jar "$1")" ] || return 1
    local sources=("$root/pom.xml" "$root/.config" "$root/rpc-codegen/src/main" "$root/rpc-api/src/main")
    [ "$2" != test.classpath ] || sources+=("$root/$1/src/test")
    IFS=: read -r -a entries < "$target/$2" || true # the file may lack its last line's end
    for entry in "$target" "${entries[@]}"; do
        [ -e "$entry" ] || return 1
        case "$entry" in
            "$root"/*/target*)
                sources+=("${entry%%/target*}/src/main" "${entry%%/target*}/pom.xml")
                case "$entry" in
                    *-tests.jar | */test-classes) sources+=("${entry%%/target*}/src/test") ;;
                esac
                ;;
        esac
    done
    local present=()
    for entry in "${sources[@]}"; do
        [ ! -e "$entry" ] || present+=("$entry")
    done
    [ -z "$(find "${present[@]}" -newer "$target/$2.built" -print -quit)" ]
}

# In the background, so that an interrupt of the script alone ends Maven too.
build_module() {
    command -v mvn > /dev/null || fail "no mvn on PATH, which the first run needs to build"
    echo "$command: building, once" >&2
    local target="$root/$1/target" maven status=0
    touch "$target/$2.begun"
    mvn -q -B -DskipTests -Dcheckstyle.skip -f "$root/pom.xml" -pl "$1" -am package \
        > "$target/$2.log" 2>&1 < /dev/null &
    maven=$!
    trap 'kill "$maven" 2> /dev/null || true; wait "$maven" || true; exit 130' INT TERM HUP
    wait "$maven" || status=$?
    trap - INT TERM HUP
    if [ "$status" -ne 0 ]; then
        cat "$target/$2.log" >&2
        fail "the build failed"
    fi
    mv "$target/$2.begun" "$target/$2.built"
}

# build_if_stale MODULE CLASSPATH: builds a module where it must be. CLASSPATH is the file in its target folder that the
# build writes the class path of its dependencies to; test.classpath where tests are run, too. Two that begin at the same
# time build one after the other.
build_if_stale() {
    ! is_built "$1" "$2" || return 0
    mkdir -p "$root/$1/target"
    if command -v flock > /dev/null; then
        exec 9> "$root/$1/target/$2.lock"
        flock 9
        is_built "$1" "$2" || build_module "$1" "$2" 9>&-
        exec 9>&-
    else
        build_module "$1" "$2"
    fi
}

# class_path MODULE CLASSPATH: prints the class path of a module that is built, its own jar first.
class_path() {
    echo "$(jar "$1"):$(cat "$root/$1/target/$2")"
}
