# Sourced by the scripts here: builds what is missing and sets java and classpath.
here="$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)"
root="$(dirname "$(dirname "$here")")"
if [ -n "${JAVA_HOME:-}" ]; then java="$JAVA_HOME/bin/java"; else java="$(command -v java)"; fi
[ -x "$java" ] || { echo "no java: set JAVA_HOME or put java on PATH" >&2; exit 1; }

stamp="$here/target/scripts.built"
if [ ! -f "$stamp" ] || [ ! -f "$here/target/test.classpath" ] || [ -n "$(find "$root/pom.xml" "$root/rpc-api" \
    "$root/rpc-transport" "$here" -name target -prune -o -type f \( -path '*/src/*' -o -name pom.xml \) \
    -newer "$stamp" -print -quit)" ]; then
    echo "building" >&2
    mkdir -p "$here/target"
    touch "$stamp.begun"
    mvn -q -B -DskipTests -Dcheckstyle.skip -f "$root/pom.xml" -pl samples/zookeeper -am package >&2
    mv "$stamp.begun" "$stamp"
fi
classpath="$here/target/test-classes:$here/target/classes:$(cat "$here/target/test.classpath")"
