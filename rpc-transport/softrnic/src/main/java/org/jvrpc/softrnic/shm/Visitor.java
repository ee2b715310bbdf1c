package org.jvrpc.softrnic.shm;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jvrpc.softrnic.memory.Arena;
import org.jvrpc.softrnic.memory.Quarantine;
import org.jvrpc.softrnic.queue.QpContext;

/**
 * The one initiator that a QP may have: whether it has come, and how it is found out that it writes no more. Until then
 * the memory of the QP and its domain is kept from new use. Any thread.
 */
final class Visitor {

    private final ByteBuffer memory;
    private final int context;
    private final List<Quarantine.Visit> visits = new ArrayList<>();
    private boolean watched;
    private boolean hasLeft;
    private boolean uncertain;
    private boolean qpClosed;

    /** @param context of the QP in the memory */
    Visitor(ByteBuffer memory, int context) {
        this.memory = memory;
        this.context = context;
    }

    /** From now on it may come. @param reached the domains that it may write to: the QP's, its SRQ's */
    synchronized void expect(List<Quarantine> reached) {
        reached.forEach(domain -> visits.add(domain.begin()));
    }

    /** Somebody will call {@link #leave}. */
    synchronized void watch() {
        watched = true;
    }

    /**
     * It writes no more.
     *
     * @param certain false when that could not be found out
     */
    synchronized void leave(boolean certain) {
        hasLeft = true;
        uncertain |= !certain;
        if (qpClosed) {
            endVisits();
        }
    }

    /** The QP begins to close; its domain knows it still. */
    synchronized void beginLeaving() {
        visits.forEach(Quarantine.Visit::beginLeaving);
    }

    /**
     * The QP is closed here: gives its memory back, to be used again when the visitor has left.
     *
     * @param known domains whose peers know the QP's memory
     * @param certain false when others than the visitor may have written to it
     */
    synchronized void release(Arena.Block block, Set<Quarantine> known, boolean certain) {
        qpClosed = true;
        uncertain |= !certain;
        boolean neverCame = QpContext.seal(memory, context);
        if (neverCame || hasLeft) {
            endVisits();
        } else if (!watched) {
            uncertain = true; // connected without a connection manager, by another process: nobody will tell
            endVisits();
        }
        Quarantine.free(block, known);
    }

    private void endVisits() {
        visits.forEach(visit -> visit.end(!uncertain));
        visits.clear();
    }
}
