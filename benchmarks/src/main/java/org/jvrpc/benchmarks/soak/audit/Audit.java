package org.jvrpc.benchmarks.soak.audit;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Judges the journal of a round, when everything rests. One thread. */
public final class Audit {

    /** The server that is drained now and then, and never killed or closed with calls under way. */
    private static final int ORDERLY_SERVER = 0;

    private final Journal journal;
    private final List<String> violations = new ArrayList<>();
    private final Map<CallEnd, Long> ends = new EnumMap<>(CallEnd.class);

    /** Makes the judge of the round that the journal is in. */
    public Audit(Journal journal) {
        this.journal = journal;
    }

    /**
     * Judges the calls that a process began.
     *
     * @param place its number in the journal
     * @param name what violations call it
     * @param killedAt how many calls it had begun when it was last killed: of those some may never have ended
     */
    public void judge(int place, String name, int killedAt) {
        for (int index = 0; index < journal.begun(place); index++) {
            CallEnd end = journal.end(place, index);
            ends.merge(end, 1L, Long::sum);
            String wrong = judge(end, journal.kind(place, index), journal.runs(place, index),
                    journal.server(place, index), index < killedAt);
            if (wrong != null) {
                violations.add("call " + journal.round() + '/' + place + '/' + index + " of " + name
                        + ' ' + journal.kind(place, index) + " to server "
                        + journal.server(place, index) + ' ' + wrong + ": end=" + end + " runs="
                        + journal.runs(place, index));
            }
        }
    }

    /**
     * Returns what is wrong with a call, or null.
     *
     * @param runs how often its handler has run
     * @param killed whether its process was killed since it began
     */
    public static String judge(CallEnd end, CallKind kind, int runs, int server, boolean killed) {
        if (runs > 1) {
            return "ran more than once";
        }
        return switch (end) {
            case NONE, STARTED -> killed ? null : "never ended";
            case OK -> judgeOk(kind, runs);
            case REFUSED -> runs == 1 ? null : "ended without having run";
            case UNKNOWN -> kind != CallKind.THROW ? "ended UNKNOWN, and its handler throws nothing"
                    : runs == 1 ? null : "ended without having run";
            case UNAVAILABLE -> server == ORDERLY_SERVER && runs == 1 && kind.answers() && kind != CallKind.BACK
                    ? "ran on a server that drains in order, and was not answered" : null;
            default -> null;
        };
    }

    private static String judgeOk(CallKind kind, int runs) {
        if (kind == CallKind.THROW || kind == CallKind.REFUSE) {
            return "ended well, and its handler throws";
        }
        return kind == CallKind.ONE_WAY || runs == 1 ? null : "ended well without having run";
    }

    /** Returns what is wrong with the calls that were judged. */
    public List<String> violations() {
        return violations;
    }

    /** Returns how many calls ended how. */
    public Map<CallEnd, Long> ends() {
        return ends;
    }
}
