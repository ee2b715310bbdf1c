# Reads .ci/mutation-survivors, then a mutations.csv of PIT; see .ci/mutation, which says what is printed.
# Variables: room; floor, or nothing; sources, the folder of the classes' sources; names, the first file.
BEGIN { FS = "," }

FILENAME == names {
    if ($0 ~ /^(#|==|$)/)
        next
    count = 1
    text = $0
    if (match(text, /^[0-9]+x /)) {
        count = text + 0
        text = substr(text, RLENGTH + 1)
    }
    named[text] += count
    next
}

{
    class = $2
    sub(/\$.*/, "", class)
    mutator = $3
    sub(/.*\./, "", mutator)
    sub(/Mutator$/, "", mutator)
    if ($6 == "NON_VIABLE")
        next
    if (!(class in mutants))
        order[++classes] = class
    mutants[class]++
    if ($6 != "SURVIVED" && $6 != "NO_COVERAGE") {
        killed[class]++
        late[class] += $6 == "TIMED_OUT"
        next
    }
    line = $2 " " $4 " " mutator " | " source(class, $5)
    if (used[line] < named[line]) {
        used[line]++
        excused[class]++
        next
    }
    if ($6 == "SURVIVED")
        survived[class]++
    else
        uncovered[class]++
    if (!(line in left))
        lines[++shown] = line
    left[line]++
    at[line] = at[line] " " ($6 == "SURVIVED" ? "" : "uncovered:") $5
}

function source(class, number,    file, text, i) {
    file = class
    gsub(/\./, "/", file)
    file = sources file ".java"
    if (!(file in read)) {
        read[file] = 1
        for (i = 1; (getline text < file) > 0; i++)
            texts[file, i] = text
        close(file)
    }
    text = texts[file, number]
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}

function row(name, all, dead, slow, lived, bare, why) {
    printf "%-52s %7d %7d %7d %8d %9d %6d %6s\n", name, all, dead, slow, lived, bare, why,
        all == why ? "-" : sprintf("%.1f", int(1000 * dead / (all - why)) / 10)
}

END {
    printf "%-52s %7s %7s %7s %8s %9s %6s %6s\n", room, "mutants", "killed", "by time", "survived", "uncovered", "named", "score"
    for (i = 1; i <= classes; i++) {
        class = order[i]
        row("  " class, mutants[class], killed[class], late[class], survived[class], uncovered[class], excused[class])
        all += mutants[class]
        dead += killed[class]
        slow += late[class]
        lived += survived[class]
        bare += uncovered[class]
        why += excused[class]
    }
    row("  all", all, dead, slow, lived, bare, why)
    for (i = 1; i <= shown; i++)
        print (left[lines[i]] > 1 ? left[lines[i]] "x " : "") lines[i] "  #" at[lines[i]]
    if (floor != "" && 100 * dead < floor * (all - why)) {
        print room ": the score is below its floor, " floor
        exit 1
    }
}
