# Sourced by the script install of a plugin's archive, under set -euo pipefail. What the caller sets first:
#   here         the folder jvrpc of the archive, which lies in the product's folder
#   product      the product's name; home, its folder; conf, its folder of settings, below home or by a path of its own
#   artifact     what the names of the plugin's jars begin with
#   dry, undo    true or false
#   open, close  what makes a marker a comment of the settings' file
# Nothing is changed before all that could be refused has been looked at: the caller plans first, and carries out after.

version="$(cat "$here/VERSION")"
jar="$artifact-$version-all.jar"
begin="jvRPC plugin: begin"
end="jvRPC plugin: end"
own=", in a file of its own" # behind begin
actions=() # each a line to say, then the command that does it
changes=0

refuse() {
    echo "$(basename "$0"): $*; nothing was changed" >&2
    exit 1
}

# plan TEXT COMMAND...: says it, and does it later.
plan() {
    local text=$1
    shift
    actions+=("$text" "$(printf '%q ' "$@")")
    changes=$((changes + 1))
}

shown() { # path: prints it as seen from the product's folder
    echo "${1#"$home"/}"
}

# check_java OLDEST: refuses the Java that the product would be started with when it is too old for the plugin.
check_java() {
    local program=java said
    [ -z "${JAVA_HOME:-}" ] || program="$JAVA_HOME/bin/java"
    said="$("$program" -version 2>&1 | sed -n 's/^[a-z]* version "\([0-9]*\)[".].*/\1/p' | head -1 || true)"
    if [ -z "$said" ]; then
        echo "note: no java here to look at ($program): the plugin needs Java $1 or later"
    elif [ "$said" -lt "$1" ]; then # Java 8 says 1.8
        refuse "the plugin needs Java $1 or later, and $program is Java $said"
    fi
}

# product_version FOLDER NAME: prints the version of the one jar FOLDER/NAME-VERSION.jar of the product.
product_version() {
    local file versions=()
    for file in "$home/$1/$2"-[0-9]*.jar; do
        case "$file" in
            *-tests.jar | *-sources.jar | *-javadoc.jar) continue ;;
        esac
        [ -f "$file" ] || continue
        file="${file##*/"$2"-}"
        versions+=("${file%.jar}")
    done
    case ${#versions[@]} in
        1) echo "${versions[0]}" ;;
        0) refuse "no $product in $home: $1/$2-VERSION.jar is missing. Unpack the archive in $product's folder, or name that" ;;
        *) refuse "more than one $product in $home: $1/$2-VERSION.jar is there in versions ${versions[*]}" ;;
    esac
}

# plan_jar FOLDER: the plugin's jar in a folder of the product's, and no other version of it, here and there.
plan_jar() {
    local file target="$home/$1/$jar"
    [ -d "$home/$1" ] && [ -w "$home/$1" ] || refuse "$home/$1 is not a folder that $(id -un) may write to"
    for file in "$home/$1"/jvrpc-*.jar; do
        case "${file##*/}" in
            "jvrpc-*.jar" | "$artifact"-*-all.jar) ;;
            *) refuse "$(shown "$file") is jvRPC, too, and was not put there by this script: two copies on one class path" \
                "disturb each other. Remove it first" ;;
        esac
    done
    for file in "$home/$1/$artifact"-*-all.jar "$here/lib/$artifact"-*-all.jar; do
        if [ ! -e "$file" ]; then
            continue
        elif $undo; then
            case "$file" in
                "$here"/*) ;;
                *) plan "remove  $(shown "$file")" rm -f "$file" ;;
            esac
        elif [ "${file##*/}" != "$jar" ]; then
            plan "remove  $(shown "$file"), of another version than $version" rm -f "$file"
        fi
    done
    $undo && return
    [ -f "$here/lib/$jar" ] || refuse "$here/lib/$jar is missing: unpack the archive again"
    if ! cmp -s "$here/lib/$jar" "$target"; then
        plan "add     $(shown "$target")" put "$here/lib/$jar" "$target"
    fi
}

put() { # file target: a whole file at once, for a running product may have the old one open
    cp "$1" "$2.new"
    chmod 644 "$2.new"
    mv -f "$2.new" "$2"
}

# content FILE: sets text to all of the file, with the end of its last line, or to nothing.
content() {
    text=
    [ ! -f "$1" ] || { text="$(cat "$1"; echo x)"; text="${text%x}"; }
}

# without_block FILE: sets text to the file's content without what this script wrote there: from the one marker to the other.
without_block() {
    local before after
    # shellcheck disable=SC2154 # open and close: what stands around a marker in its line
    content "$1"
    case "$text" in
        *"$begin"*"$end"*) ;;
        *"$begin"* | *"$end"*)
            refuse "$(shown "$1") has only one of the lines \"$begin\" and \"$end\": put the other back, or remove both" ;;
        *) return 0 ;;
    esac
    before="${text%%"$begin"*}"
    after="${text#*"$end"}"
    before="${before%"$open"}"
    after="${after#"$close"}"
    # A last line that had no end was given one.
    case "${text#*"$begin"}" in
        ", behind a line without end"*) before="${before%$'\n'}" ;;
    esac
    text="$before${after#$'\n'}"
}

# plan_file FILE NEW SAYING: the file gets this content, or goes where nothing is left of it.
plan_file() {
    local old
    content "$1"
    old=$text
    [ "$old" != "$2" ] || return 0
    if [ -e "$1" ]; then
        [ -w "$1" ] || refuse "$1 may not be written by $(id -un)"
    else
        [ -w "$(dirname "$1")" ] || refuse "$(dirname "$1") may not be written by $(id -un)"
    fi
    if [ -z "$2" ] && [[ "$old" == *"$begin$own"* ]]; then
        plan "remove  $(shown "$1"), of which nothing is left" rm -f "$1"
    elif [ -e "$1" ]; then
        plan "change  $(shown "$1"): $3" write "$1" "$2"
    else
        plan "add     $(shown "$1"): $3" write "$1" "$2"
    fi
}

write() { # file content: its mode and owner stay, and so does a link to it
    local file
    file="$(readlink -f "$1")"
    [ ! -e "$file" ] || cp -p "$file" "$file.new"
    printf %s "$2" > "$file.new"
    mv -f "$file.new" "$file"
}

# carry_out: says all that was planned, and does it unless this is a dry run.
carry_out() {
    local i
    for ((i = 0; i < ${#actions[@]}; i += 2)); do
        if $dry; then
            echo "would ${actions[i]}"
        else
            echo "${actions[i]}"
            eval "${actions[i + 1]}"
        fi
    done
}
