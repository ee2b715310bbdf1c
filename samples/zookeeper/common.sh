# Sourced by the scripts here: builds what is stale and sets java and classpath, that of the tests.
here="$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)"
root="$(dirname "$(dirname "$here")")"
command="$(basename "$0")"
. "$root/.config/build-if-stale.sh"
build_if_stale samples/zookeeper test.classpath
classpath="$here/target/test-classes:$(class_path samples/zookeeper test.classpath)"
