package org.jvrpc.softrnic.roce.ring;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jvrpc.roce.rc.RcCounters;

/** What the QPs of a device have counted, those that are closed, too: sums only grow. Any thread. */
public final class QpTally {

    /** A QP that counts. */
    public interface Source {

        /** Adds what it counted, also when it is closed. */
        void addTo(RcCounters sum);
    }

    private final Set<Source> open = new HashSet<>();
    private final RcCounters closed = new RcCounters();

    public synchronized void begin(Source qp) {
        open.add(qp);
    }

    /** A QP counts no more. @param counters of it alone */
    public synchronized void end(Source qp, RcCounters counters) {
        if (open.remove(qp)) {
            closed.add(counters);
        }
    }

    /** Returns what all have counted. The locks of QPs are taken, without this one's: they take it behind theirs. */
    public RcCounters sum() {
        RcCounters sum = new RcCounters();
        List<Source> sources;
        synchronized (this) {
            sum.add(closed);
            sources = List.copyOf(open);
        }
        sources.forEach(source -> source.addTo(sum));
        return sum;
    }
}
