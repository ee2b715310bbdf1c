package org.jvrpc.ibverbs.card;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jvrpc.ibverbs.core.RdmaDomain;

/**
 * QPs and SRQs that are closed, whose memory stays until it must go: a thread that was stopped inside a post may still
 * write to it. Any thread.
 */
final class DeferredDestroys {

    private static final int MOST = 256;

    private final List<Entry> entries = new ArrayList<>();

    /** One of them; {@code destroy} is run once. The CQs are null for an SRQ. */
    record Entry(RdmaDomain domain, CardCompletions sends, CardCompletions receives, Runnable destroy) {
    }

    /** Adds one; the oldest goes when there are many. */
    void add(Entry entry) {
        Entry oldest = null;
        synchronized (entries) {
            entries.add(entry);
            if (entries.size() > MOST) {
                oldest = entries.remove(0);
            }
        }
        if (oldest != null) {
            oldest.destroy.run();
        }
    }

    /** Destroys the QPs that report to a CQ. */
    void destroyOf(CardCompletions cq) {
        destroy(entry -> entry.sends == cq || entry.receives == cq);
    }

    /** Destroys what is of a domain, and what was closed before: QPs of other domains may use its SRQs. */
    void destroyOf(RdmaDomain domain) {
        List<Entry> older;
        synchronized (entries) {
            int last = entries.size() - 1;
            while (last >= 0 && entries.get(last).domain != domain) {
                last--;
            }
            older = List.copyOf(entries.subList(0, last + 1));
        }
        destroy(older::contains);
    }

    /** Destroys all. */
    void destroyAll() {
        destroy(entry -> true);
    }

    private void destroy(Predicate<Entry> which) {
        List<Entry> found = new ArrayList<>();
        synchronized (entries) {
            entries.removeIf(entry -> which.test(entry) && found.add(entry));
        }
        found.forEach(entry -> entry.destroy.run()); // in order: QPs before the SRQ that they use
    }
}
