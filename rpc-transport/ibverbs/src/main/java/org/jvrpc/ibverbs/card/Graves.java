package org.jvrpc.ibverbs.card;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jvrpc.ibverbs.core.RdmaDomain;

/**
 * QPs and SRQs that are closed, whose memory stays until it must go: a thread that was stopped inside a post may still
 * write to it. Any thread.
 */
final class Graves {

    private static final int MOST = 256;

    private final List<Grave> graves = new ArrayList<>();

    /** One of them; {@code destroy} is run once. The CQs are null for an SRQ. */
    record Grave(RdmaDomain domain, CardCompletions sends, CardCompletions receives, Runnable destroy) {
    }

    /** Adds one; the oldest goes when there are many. */
    void add(Grave grave) {
        Grave oldest = null;
        synchronized (graves) {
            graves.add(grave);
            if (graves.size() > MOST) {
                oldest = graves.remove(0);
            }
        }
        if (oldest != null) {
            oldest.destroy.run();
        }
    }

    /** Destroys the QPs that report to a CQ. */
    void destroyOf(CardCompletions cq) {
        destroy(grave -> grave.sends == cq || grave.receives == cq);
    }

    /** Destroys what is of a domain, and what was closed before: QPs of other domains may use its SRQs. */
    void destroyOf(RdmaDomain domain) {
        List<Grave> older;
        synchronized (graves) {
            int last = graves.size() - 1;
            while (last >= 0 && graves.get(last).domain != domain) {
                last--;
            }
            older = List.copyOf(graves.subList(0, last + 1));
        }
        destroy(older::contains);
    }

    /** Destroys all. */
    void destroyAll() {
        destroy(grave -> true);
    }

    private void destroy(Predicate<Grave> which) {
        List<Grave> found = new ArrayList<>();
        synchronized (graves) {
            graves.removeIf(grave -> which.test(grave) && found.add(grave));
        }
        found.forEach(grave -> grave.destroy.run()); // in order: QPs before the SRQ that they use
    }
}
