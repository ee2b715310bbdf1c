package org.jvrpc.watch.collect;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jvrpc.watch.report.Report;
import org.jvrpc.watch.report.Tally;

/**
 * Reports of windows that have not ended: one of each agent a window, of agents that the registry has, of windows near
 * the present. What is refused is counted by its reason. Any thread.
 */
final class Inbox {

    /** Why a report was not taken. */
    enum Refusal { UNKNOWN_AGENT, OTHER_NAME, OTHER_WINDOW, TOO_LATE, FROM_THE_FUTURE, TWICE, SENSELESS }

    /** Windows that may be open at a time. */
    private static final int OPEN = 3;
    private static final int STRANGERS = 256;
    /** Probes of a tally: sums of cells stay far from overflow. */
    private static final int MOST_SENT = 1 << 24;

    private final CollectorSettings settings;
    private final TreeMap<Long, List<Report>> open = new TreeMap<>();
    private final Map<Long, Set<Integer>> from = new HashMap<>();
    private final long[] refused = new long[Refusal.values().length];
    /** Agents that the registry does not have. */
    private final Map<Integer, Report> strangers = new LinkedHashMap<>();
    private final Map<Integer, String> troubles = new HashMap<>();
    private long accepted;
    private long closed = -1;

    Inbox(CollectorSettings settings) {
        this.settings = settings;
    }

    /**
     * Takes a report.
     *
     * @param nameInRegistry of its agent; null: the registry has none
     * @param nowWindow the window that runs
     * @throws IllegalArgumentException when it is refused: says why, with the values
     */
    synchronized void accept(Report report, String nameInRegistry, long nowWindow) {
        int id = report.from().id();
        if (nameInRegistry == null) {
            if (strangers.size() < STRANGERS || strangers.containsKey(id)) {
                strangers.put(id, new Report(report.from(), report.window(), report.windowNs(), 0, 0, 0, 0, List.of(),
                        List.of()));
            }
            throw refuse(Refusal.UNKNOWN_AGENT, id, "the registry has no agent id=" + id + " name="
                    + report.from().name());
        }
        strangers.remove(id);
        if (!nameInRegistry.equals(report.from().name())) {
            throw refuse(Refusal.OTHER_NAME, id, "agent id=" + id + " calls itself " + report.from().name()
                    + ", the registry " + nameInRegistry);
        }
        if (report.windowNs() != settings.windowNs()) {
            throw refuse(Refusal.OTHER_WINDOW, id, "windowNs=" + report.windowNs() + " of agent " + nameInRegistry
                    + ", here it is " + settings.windowNs());
        }
        if (closed > nowWindow) {
            goBack(nowWindow);
        }
        if (report.window() <= closed || report.window() < nowWindow - OPEN) {
            throw refuse(Refusal.TOO_LATE, id, "window=" + report.window() + " has ended: now is " + nowWindow);
        }
        if (report.window() > nowWindow + 1) {
            throw refuse(Refusal.FROM_THE_FUTURE, id, "window=" + report.window() + " is "
                    + (report.window() - nowWindow) + " after this host's clock");
        }
        for (Tally tally : report.tallies()) {
            if (!makesSense(tally)) {
                throw refuse(Refusal.SENSELESS, id, "makes no sense: " + tally);
            }
        }
        if (!from.computeIfAbsent(report.window(), unused -> new HashSet<>()).add(id)) {
            throw refuse(Refusal.TWICE, id, "window=" + report.window() + " of agent " + nameInRegistry
                    + " came before");
        }
        open.computeIfAbsent(report.window(), unused -> new ArrayList<>()).add(report);
        accepted++;
        String other = report.from().version() == settings.agentVersion() ? null : "its probes are of version "
                + report.from().version() + ", here they are of " + settings.agentVersion();
        if (other == null) {
            troubles.remove(id);
        } else {
            troubles.put(id, other);
        }
    }

    /** This host's clock was ahead, and what was ended then never was. */
    private void goBack(long nowWindow) {
        closed = nowWindow - OPEN - 1;
        open.tailMap(nowWindow + 1, false).clear();
        from.keySet().removeIf(each -> each > nowWindow + 1);
    }

    private static boolean makesSense(Tally tally) {
        long lost = (long) tally.lostForward() + tally.lostBack() + tally.lostUnknown();
        return tally.sent() >= 0 && tally.sent() <= MOST_SENT && lost <= tally.sent() && tally.lostForward() >= 0
                && tally.lostBack() >= 0 && tally.lostUnknown() >= 0 && tally.size() >= 0 && tally.size() < 3
                && tally.serviceLevel() >= 0 && tally.serviceLevel() < 8 && tally.networkP50Ns() >= 0
                && tally.networkP99Ns() >= tally.networkP50Ns() && tally.proberP99Ns() >= 0
                && tally.responderP99Ns() >= 0;
    }

    private IllegalArgumentException refuse(Refusal why, int id, String message) {
        refused[why.ordinal()]++;
        if (why != Refusal.UNKNOWN_AGENT && why != Refusal.TWICE) {
            troubles.put(id, message);
        }
        return new IllegalArgumentException(message);
    }

    /** Returns the oldest window that is open; -1: none is. */
    synchronized long oldest() {
        return open.isEmpty() ? -1 : open.firstKey();
    }

    /** Ends a window: no report of it, or of those before, is taken any more. */
    synchronized List<Report> close(long window) {
        List<Report> reports = open.remove(window);
        open.headMap(window).clear();
        from.keySet().removeIf(each -> each <= window);
        closed = Math.max(closed, window);
        return reports == null ? List.of() : reports;
    }

    synchronized long closed() {
        return closed;
    }

    synchronized long accepted() {
        return accepted;
    }

    synchronized long[] refused() {
        return refused.clone();
    }

    synchronized List<Report> strangers() {
        return new ArrayList<>(strangers.values());
    }

    synchronized String trouble(int id) {
        return troubles.get(id);
    }

    /** Forgets what was said of agents that are gone. */
    synchronized void forget(Set<Integer> known) {
        troubles.keySet().retainAll(known);
        strangers.keySet().removeAll(known);
    }
}
