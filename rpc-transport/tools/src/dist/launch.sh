# Sourced by the commands jvrpc, that of this repository and that of the archive: runs Jvrpc with the arguments of the
# command. The caller sets java, command and CLASSPATH, and launch, the folder of jvm-key.sh and class-archive.sh, and
# archives, a folder for archives of classes.

# JDKs from 24 on warn when native code is called without leave. The class path goes by the environment: process lists
# stay readable.
. "$launch/jvm-key.sh"
options=(-Dorg.slf4j.simpleLogger.defaultLogLevel=warn)
version="$(jdk_version)"
if [ "$version" != 0 ] && [ "$version" -lt 17 ]; then
    echo "$command: needs Java 17 or later, and $java is of version $version: set JAVA_HOME" >&2
    exit 1
fi
[ "$version" -lt 22 ] || options+=(--enable-native-access=ALL-UNNAMED)
# A thousand agents and a day of racks fit into this: 512 MiB with all that is no heap.
[ "${1:-} ${2:-}" != "pingmesh collector" ] || options+=(-Xmx300m -XX:MaxDirectMemorySize=32m -Xss512k)
# What people and scripts wait for: it is over before C2 would have compiled anything.
case "${1:-}" in
    list | describe | call | health | admin | diff | completion)
        options+=(-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx256m)
        . "$launch/class-archive.sh"
        class_archive "$archives" org.jvrpc.tools.Rehearsal "${options[@]}"
        options+=("${archive[@]}")
        ;;
esac
# A router has all tenants' bytes in its memory: nothing may write that out, or look into it.
if [ "${1:-} ${2:-}" = "router run" ]; then
    ulimit -c 0
    umask 077
    options+=(-XX:-CreateCoredumpOnCrash -XX:+DisableAttachMechanism)
    export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}" # what threads freed is used again: 5 KiB less for each tenant
fi
exec "$java" "${options[@]}" org.jvrpc.tools.Jvrpc "$@"
