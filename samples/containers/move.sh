# Sourced by inside: orders is killed on the first host and started on the second, while trader calls it.
make_archive orders
: > "$logs/pulse"
program trader org.jvrpc.samples.containers.Pulse router://10.77.0.1:7000 60 >> "$logs/pulse" 2>&1 < /dev/null &
pulse=$!
await '^pulse: first answer' "$logs/pulse" "$pulse" "trader"
make_folder orders h2
await_router orders h2

: > "$logs/pulse" # what it was silent for before means nothing
{ kill -KILL "${containers[orders]}"; wait "${containers[orders]}"; } 2> /dev/null || true # the shell tells of its death
await '^pulse: silent ' "$logs/pulse" "$pulse" "trader"
hosts[orders]=h2
begun="$(date +%s%3N)"
start orders "$quickstart" server --address router://10.77.0.1:7000
await '^Serving Orders at ' "$logs/orders" "${containers[orders]}" orders
served="$(date +%s%3N)"
await '^pulse: answered at=' "$logs/pulse" "$pulse" "trader"
answered="$(sed -n 's/^pulse: answered at=\([0-9]*\) .*/\1/p' "$logs/pulse" | head -n 1)"
silent="$(sed -n 's/^pulse: answered at=.*silent_ms=\([0-9]*\)$/\1/p' "$logs/pulse" | head -n 1)"
{ kill -KILL "$pulse"; wait "$pulse"; } 2> /dev/null || true
say "orders was killed on h1 and started on h2: it served $((served - begun)) ms after the start there, trader's first"
say "answer came after $((answered - begun)) ms, and $silent ms after the last one from h1"
ask_all
table
