# Sourced by inside: a tenant that writes whatever it can, while the others call each other.
start_hostile() {
    (
        umask 007 # so that the router may open what it makes
        program hostile org.jvrpc.router.hostile.HostileContainer --seconds 3000
    ) > "$logs/hostile" 2>&1 < /dev/null &
    containers[hostile]=$!
    await '^hostile: .* mutations=[1-9]' "$logs/hostile" "${containers[hostile]}" hostile
}

# It must still be at it, and its router, which gives back all that it had.
end_hostile() {
    local host="${hosts[hostile]}" tries=0
    kill -0 "${containers[hostile]}" || fail "hostile has ended by itself" "$logs/hostile"
    kill -KILL "${containers[hostile]}"
    wait "${containers[hostile]}" 2> /dev/null || true
    kill -0 "${routers[$host]}" || fail "the router has ended" "$logs/router-$host"
    while ask_router "$host" show --json | grep '^{"name":"hostile"' | grep -q '"has":{[^}]*:[1-9]'; do
        tries=$((tries + 1))
        [ "$tries" -lt 60 ] || fail "the router keeps what hostile had" "$logs/router-$host"
    done
    ! grep -q '^ERROR' "$logs/router-$host" || fail "the router has made errors" "$logs/router-$host"
    say "hostile: $(tail -n 1 "$logs/hostile" | sed 's/^hostile: seed=[0-9]* //'): the others noticed nothing"
}
