# Sourced by commands, under set -euo pipefail. $java, the program, and CLASSPATH are the caller's.

# jdk_version: prints the major version of the JDK, or 0.
jdk_version() {
    local version
    version="$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$(dirname "$(dirname "$(readlink -f "$java")")")/release" \
        2> /dev/null)" || true
    echo "${version:-0}"
}

# jvm_key: prints what tells a build, a JDK, its options and a class path from others.
jvm_key() {
    local entries
    IFS=: read -r -a entries <<< "$CLASSPATH"
    {
        cat "$(dirname "$(dirname "$(readlink -f "$java")")")/release" && echo "$CLASSPATH" \
            && stat -c '%n %s %Y' "${entries[@]}" \
            && echo "${JAVA_TOOL_OPTIONS:-} ${JDK_JAVA_OPTIONS:-} ${_JAVA_OPTIONS:-} $*"
    } 2> /dev/null | cksum | tr ' ' '-'
}
