package org.jvrpc.router.engine.sent;

import org.jvrpc.mlx5.Cqe;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.verbs.WcStatus;

/** The WQEs of a queue that were sent, in part at least, and are not complete, the oldest first. Allocates nothing. */
public final class SentWqes {

    /** More than any path has under way; a power of two. */
    private static final int MOST = 64;

    private final int[] counters = new int[MOST];
    private final int[] opcodes = new int[MOST];
    private final int[] lengths = new int[MOST];
    private final boolean[] signalled = new boolean[MOST];
    private int first;
    private int last;

    public boolean isEmpty() {
        return first == last;
    }

    public int count() {
        return last - first;
    }

    /** Adds the youngest. @throws IllegalStateException when there are too many, which no path lets come */
    public void add(int counter, int opcode, int length, boolean isSignalled) {
        if (count() == MOST) {
            throw new IllegalStateException("WQEs under way=" + count());
        }
        int i = last++ & MOST - 1;
        counters[i] = counter;
        opcodes[i] = opcode;
        lengths[i] = length;
        signalled[i] = isSignalled;
    }

    /** Forgets the oldest, whose end is told elsewhere. */
    public void dropFirst() {
        first++;
    }

    /** Forgets the youngest, whose end is told elsewhere. */
    public void dropLast() {
        last--;
    }

    /** Completes the oldest with success; false when its CQ is full. */
    public boolean succeed(CqWriter completions) {
        int i = first++ & MOST - 1;
        return !signalled[i] || completions.succeed(opcodes[i], counters[i], lengths[i]);
    }

    /** Completes the oldest with a failure. */
    public void fail(CqWriter completions, WcStatus status) {
        completions.fail(counters[first++ & MOST - 1], Cqe.REQ_ERR, status, 0);
    }

    /** Completes all as flushed. */
    public void flush(CqWriter completions) {
        while (!isEmpty()) {
            fail(completions, WcStatus.WR_FLUSH_ERR);
        }
    }
}
