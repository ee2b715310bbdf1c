# Sourced by inside, which is the init of a PID name space, and root in it: hosts, routers and containers.

router_user=70000
net=10.78.0
[ "$below" = roce ] || net=10.9.0
declare -A users=() addresses=() hosts=() nets=() routers=() controls=()

say() {
    echo "containers: $*"
}

# fail MESSAGE [LOG…]: with the last words of those who may know why.
fail() {
    echo "containers: $1" >&2
    shift
    for log in "$@"; do
        [ ! -s "$log" ] || { echo "--- $(basename "$log")" >&2; tail -n 30 "$log" >&2; }
    done
    exit 1
}

# Waits until a file has a line of a pattern; ends when the process ends that writes it, or after two minutes, which
# are eight in the virtual machine of .ci/rdma-vm.
patience=120 session_ms=30000
[ -z "${JVRPC_VM:-}" ] || patience=480 session_ms=60000
await() { # PATTERN LOG PID WHAT
    local tries=0
    until grep -q -E "$1" "$2" 2> /dev/null; do
        kill -0 "$3" 2> /dev/null || grep -q -E "$1" "$2" || fail "$4 has ended" "$2"
        tries=$((tries + 1))
        [ "$tries" -lt $((patience * 20)) ] || fail "$4 says nothing for $patience s" "$2"
        sleep 0.05
    done
}

# Until a host's router serves a tenant in its folder.
await_router() { # TENANT HOST
    local tries=0
    until [ -S "$base/$2/tenants/$1/s" ]; do
        tries=$((tries + 1))
        [ "$tries" -lt $((patience * 20)) ] || fail "the router of $2 does not serve $1 within $patience s"
        sleep 0.05
    done
}

# Becomes something that runs as a user; where all are one user, as that.
as() { # USER COMMAND…
    local user="$1"
    shift
    if [ "$one_user" = yes ]; then
        exec "$@"
    fi
    exec setpriv --reuid "$user" --regid "$user" --clear-groups --no-new-privs "$@"
}

# Becomes something that runs in a host's network as a user.
on_as() { # HOST USER COMMAND…
    local net="/proc/${nets[$1]}/ns/net" user="$2"
    shift 2
    if [ "$one_user" = yes ]; then
        exec nsenter "--net=$net" "$@"
    fi
    exec nsenter "--net=$net" setpriv --reuid "$user" --regid "$user" --clear-groups --no-new-privs "$@"
}

number() { # USER: what its number is here
    [ "$one_user" = yes ] && echo 0 || echo "$1"
}

# All jars and classes, where each user can read them: a home may be its owner's alone.
copy_classes() { # FOLDER
    local entry entries=() jars=() copied=()
    IFS=: read -r -a entries <<< "$JVRPC_CONTAINERS_CLASSPATH"
    mkdir -p "$1"
    for entry in "${entries[@]}"; do
        [ -e "$entry" ] || continue
        if [ -d "$entry" ]; then
            cp -rL "$entry" "$1/${#copied[@]}"
            copied+=("${#copied[@]}")
        else
            jars+=("$entry")
            copied+=("${entry##*/}")
        fi
    done
    [ ${#jars[@]} = 0 ] || cp -L "${jars[@]}" "$1" # which refuses two of one name
    chmod -R a+rX "$1"
    classes="${copied[*]}"
}

class_path() { # FOLDER: as it is seen from where that is
    local entry path=""
    for entry in $classes; do
        path="$path${path:+:}$1/$entry"
    done
    echo "$path"
}

# A host: a network name space, which a process that sleeps holds, and a router's folder. RDMA devices are of one name
# space, so hosts with those share it.
make_host() { # HOST
    local holder=$$ own
    if [ "$below" = roce ]; then
        unshare --net sleep infinity &
        holder=$!
        own="$(readlink /proc/self/ns/net)"
        until [ -e "/proc/$holder/ns/net" ] && [ "$(readlink "/proc/$holder/ns/net")" != "$own" ]; do
            kill -0 "$holder" || fail "no network name space for host $1"
            sleep 0.01
        done
    fi
    nets[$1]="$holder"
    [ "$below" = rdma ] || on "$1" ip link set lo up
    mkdir -p "$base/$1/tenants"
    chmod 755 "$base/$1"
    chmod 711 "$base/$1/tenants"
    chown "$(number $router_user)" "$base/$1" "$base/$1/tenants"
}

on() { # HOST COMMAND…
    local host="$1"
    shift
    nsenter "--net=/proc/${nets[$host]}/ns/net" "$@"
}

# Joins two hosts by a cable, unless they have one.
join_hosts() {
    local host
    if [ "$below" = rdma ]; then
        chmod a+rw /dev/infiniband/*
        return
    fi
    ip link add eth0 netns "${nets[h1]}" type veth peer name eth0 netns "${nets[h2]}" 2> "$logs/ip" \
        || fail "no veth pair joins the hosts" "$logs/ip"
    for host in h1 h2; do
        on "$host" ip addr add "$net.${host#h}/24" dev eth0
        on "$host" ip link set eth0 up
    done
}

# Keys and certificates by which routers prove themselves to each other, signed by an authority of their own.
make_certificates() {
    local keys="$base/keys" host
    mkdir -m 700 "$keys"
    {
        openssl ecparam -name prime256v1 -genkey -noout -out "$keys/ca.key"
        openssl req -x509 -new -key "$keys/ca.key" -subj /CN=jvrpc-routers -days 30 -out "$keys/ca.pem"
        for host in h1 h2; do
            openssl ecparam -name prime256v1 -genkey -noout | openssl pkcs8 -topk8 -nocrypt -out "$keys/$host.key"
            openssl req -new -key "$keys/$host.key" -subj "/CN=$host" \
                | openssl x509 -req -CA "$keys/ca.pem" -CAkey "$keys/ca.key" -CAcreateserial -days 30 \
                    -extfile <(echo "subjectAltName=IP:$net.${host#h},DNS:$host") -out "$keys/$host.pem"
            mkdir -m 700 "$base/$host/keys"
            cp "$keys/ca.pem" "$keys/$host.pem" "$keys/$host.key" "$base/$host/keys"
            chown -R "$(number $router_user)" "$base/$host/keys"
        done
    } > "$logs/openssl" 2>&1 < /dev/null || fail "no certificates" "$logs/openssl"
}

# An ensemble of one server, on the first host, for both.
start_ensemble() {
    local host
    : > "$logs/ensemble"
    jvrpc_on h1 ensemble --dir "$base/ensemble" --hosts h1,h2 --bind "$net.1" > "$logs/ensemble" 2>&1 < /dev/null &
    await '^host h2: ' "$logs/ensemble" "$!" "the ensemble"
    # Who shares two processors with all others may be silent for a while.
    control="$(sed -n "s/^administrator: --control '\\(.*\\)'$/\\1/p" "$logs/ensemble")&session-ms=$session_ms"
    for host in h1 h2; do
        cp "$base/ensemble/users/$host.auth" "$base/$host/keys/zk.auth"
        cp "$base/ensemble/trust.pem" "$base/$host/keys/zk.pem"
        chown "$(number $router_user)" "$base/$host/keys/zk.auth" "$base/$host/keys/zk.pem"
        chmod 400 "$base/$host/keys/zk.auth"
        controls[$host]="zk://$net.1:2281/main?auth-file=$base/$host/keys/zk.auth&trust-file=$base/$host/keys/zk.pem"
        controls[$host]+="&session-ms=$session_ms"
    done
}

# Tenants, their tokens and rules, as an administrator makes them.
tell_ensemble() {
    local name verb
    {
        for name in "${!users[@]}"; do
            echo "create $name --user $(number "${users[$name]}") --address ${addresses[$name]}"
            echo "token $name --id t1 --out $base/tokens/$name"
        done
        echo "policy --allow --from trader --to orders --ports 7000-7000"
        echo "policy --allow --from reader --to store --ports 7100-7199"
    } | while read -r verb; do echo "router ctl $verb --control $control"; done \
        | java_on h1 org.jvrpc.samples.containers.Administrator > "$logs/ctl" 2>&1 \
        || fail "the control plane refuses" "$logs/ctl" "$logs/ensemble"
}

# A tenant's folder on a host: a file system of its own, so that it can use up nobody's memory but its own.
make_folder() { # TENANT HOST
    local folder="$base/$2/tenants/$1"
    mkdir "$folder"
    mount -t tmpfs -o "size=96m,mode=2770,uid=$(number "${users[$1]}"),gid=$(number $router_user),nosuid,nodev,noexec" \
        "jvrpc-$1" "$folder"
    (umask 377; printf %s "$(cat "$base/tokens/$1")" > "$folder/token")
    chown "$(number "${users[$1]}")" "$folder/token"
}

# A tenant, its token, and what a control plane stores of that.
make_tenant() { # TENANT USER ADDRESS HOST
    users[$1]="$2"
    addresses[$1]="$3"
    hosts[$1]="$4"
    mkdir -p "$base/tokens"
    chmod 700 "$base/tokens"
}

# Tokens for a control plane that is a file.
draw_token() { # TENANT
    head -c 32 /dev/urandom | base64 -w 0 | tr '+/' '-_' | tr -d = > "$base/tokens/$1"
    head -c 16 /dev/urandom > "$base/tokens/$1.salt"
}

# hash TENANT: SHA-256 of salt and token, as base64.
hash() {
    local hex
    hex="$(cat "$base/tokens/$1.salt" "$base/tokens/$1" | sha256sum | cut -c 1-64)"
    printf '%b' "$(sed 's/../\\x&/g' <<< "$hex")" | base64 -w 0
}

# Writes what the control plane says: tenants with their tokens, who may reach whom, and where addresses live.
epoch=0
write_control() { # RULES
    local name separator=""
    epoch=$((epoch + 1))
    {
        printf '{"epoch": %d, "tenants": [' "$epoch"
        for name in "${!users[@]}"; do
            printf '%s\n  {"name": "%s", "user": %d, "addresses": ["%s"], "tokens": [{"id": "t1", "salt": "%s",' \
                "$separator" "$name" "$(number "${users[$name]}")" "${addresses[$name]}" \
                "$(base64 -w 0 "$base/tokens/$name.salt")"
            printf ' "sha256": "%s", "notAfter": "2999-01-01T00:00:00Z"}]}' "$(hash "$name")"
            separator=,
        done
        printf '],\n "rules": [%s],\n "homes": [' "$1"
        separator=""
        for name in "${!users[@]}"; do
            printf '%s\n  {"address": "%s", "tenant": "%s", "host": "%s", "epoch": %d, "state": "SERVING"}' \
                "$separator" "${addresses[$name]}" "$name" "${hosts[$name]}" "$epoch"
            separator=,
        done
        printf ']}\n'
    } > "$base/control.next"
    chmod 644 "$base/control.next"
    mv "$base/control.next" "$base/control.json"
}

start_router() { # HOST [OPTION…]
    local host="$1" flags=()
    shift
    [ "$one_user" = no ] || flags+=(--allow-root)
    : > "$logs/router-$host"
    {
        ulimit -c 0
        [ "$below" = roce ] || ulimit -l unlimited
        umask 077
        on_as "$host" "$router_user" "$java" -XX:-CreateCoredumpOnCrash \
            -XX:+DisableAttachMechanism -XX:+UseSerialGC -Xmx128m -XX:-UsePerfData $jvm \
            -Dorg.slf4j.simpleLogger.defaultLogLevel=warn -cp "$(class_path "$base/app")" org.jvrpc.tools.Jvrpc \
            router run --dir "$base/$host" --host "$host" "${flags[@]}" "$@"
    } > "$logs/router-$host" 2>&1 < /dev/null &
    routers[$host]=$!
    await '^router of host ' "$logs/router-$host" "${routers[$host]}" "the router of host $host"
}

ask_router() { # HOST WORD…
    jvrpc_on "$@" --dir "$base/$1"
}

# A command of jvrpc router's, in a host's network.
jvrpc_on() { # HOST WORD…
    java_on "$1" org.jvrpc.tools.Jvrpc router "${@:2}"
}

java_on() { # HOST MAIN ARGUMENT…
    on "$1" "$java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx128m -XX:-UsePerfData \
        -Dorg.slf4j.simpleLogger.defaultLogLevel=warn -cp "$(class_path "$base/app")" "${@:2}"
}

# container TENANT COMMAND…: behind walls, as its user, who is root there and nobody here. Of the host it sees its
# folder, at /run/jvrpc, and programs. Becomes the command.
container() {
    local tenant="$1"
    shift
    as "${users[$tenant]}" unshare --user --map-root-user --mount --pid --net --fork --kill-child --mount-proc \
        bash -c '
            set -e
            mount -t tmpfs -o mode=0755 run /run
            mkdir /run/jvrpc /run/app
            mount --bind "$1" /run/jvrpc
            mount --bind "$2" /run/app
            mount -o remount,bind,ro /run/app
            mount -t tmpfs -o mode=1777 shm /dev/shm
            mount -t tmpfs -o mode=1777 tmp /tmp
            ip link set lo up
            cd /
            shift 2
            exec "$@"' container "$base/${hosts[$tenant]}/tenants/$tenant" "$base/app" "$@"
}

# A Java program of a tenant.
archive=() # options of its JVM that make or use an archive of classes
program() { # TENANT MAIN ARGUMENT…
    local tenant="$1"
    shift
    container "$tenant" "$java" -XX:+UseSerialGC -Xmx256m -XX:-UsePerfData "${archive[@]}" $jvm \
        -Dorg.slf4j.simpleLogger.defaultLogLevel=warn -cp "$(class_path /run/app)" "$@"
}

# An archive of the classes that a tenant's program has loaded, where it wrote their names, beside the program itself, as
# the build of its image would put it: who starts with it is up in two thirds of the time. Sets archive; to nothing where
# there is none, as for a class path with folders.
make_archive() { # TENANT
    local folder="$base/${hosts[$1]}/tenants/$1" copy="$base/app/archive"
    archive=()
    [ "${JVRPC_CLASS_ARCHIVE:-1}" != 0 ] || return 0
    if (container "$1" "$java" -Xshare:dump -XX:SharedClassListFile=/run/jvrpc/classes \
        -XX:SharedArchiveFile=/run/jvrpc/archive -XX:+UseSerialGC -Xmx256m $jvm -cp "$(class_path /run/app)") \
        > "$logs/archive" 2>&1 < /dev/null && take_from "$1" "$folder/archive" "$copy"; then
        chmod 444 "$copy"
        archive=(-XX:SharedArchiveFile=/run/app/archive)
    fi
    rm -rf "$folder/archive" "$folder/classes"
}

# Copies a file of a tenant's folder; false, with no copy, for one that is empty, no regular file, or somebody else's.
take_from() { # TENANT FILE COPY
    rm -f "$3"
    # Read as the tenant, for so long: between look and copy it may put a link there to what only this user may read, or a
    # pipe that nobody writes to.
    if [ -n "$(find "$2" -maxdepth 0 -type f -size +0c -uid "$(number "${users[$1]}")" 2> /dev/null)" ] \
        && (as "${users[$1]}" timeout 10 cat "$2") > "$3" && [ -s "$3" ]; then
        return 0
    fi
    [ ! -e "$2" ] && [ ! -L "$2" ] || say "what $1 has put in the place of ${2##*/} is not taken"
    rm -f "$3"
    return 1
}
