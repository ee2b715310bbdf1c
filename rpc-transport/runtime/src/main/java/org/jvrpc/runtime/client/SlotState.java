package org.jvrpc.runtime.client;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jvrpc.api.stub.ClientCall;

/**
 * The state of a client's slot, in one word with the number of its claim, so that whoever saw one call in a slot never
 * changes the state of the next one.
 *
 * <pre>
 * word: claim:56 | state:8
 *
 * FREE -claim-&gt; CLAIMED -send-&gt; SENT -response-&gt; DONE -close-&gt; FREE
 *                               SENT -deadline, cancel of a future-&gt; ABANDONED -response-&gt; FREE
 *                               SENT -deadline, interrupt-&gt; GIVEN_UP -close-&gt; ABANDONED
 *                                                           GIVEN_UP -response-&gt; ANSWERED -close-&gt; FREE
 *                               SENT -session lost-&gt; DONE with a failure
 *                               SENT -response that must be copied-&gt; ARRIVING -&gt; DONE
 *               DONE -callback calls again-&gt; CLAIMED
 *               CLAIMED -send one way-&gt; LEAVING -acknowledged-&gt; FREE or CLAIMED
 * FREE -session drained-&gt; CLOSED
 * </pre>
 * Claimed by compare-and-set by any thread; then its claimant's until sent. SENT is left by compare-and-set, because
 * the answer, the deadline and the loss of the session race for it; whoever wins ends the call, so it ends exactly
 * once. ARRIVING is entered and left under the session's lock.
 */
abstract class SlotState extends ClientCall {

    static final int FREE = 0;
    static final int CLAIMED = 1;
    static final int SENT = 2;
    static final int DONE = 3;
    static final int ARRIVING = 4;
    static final int ABANDONED = 5;
    static final int GIVEN_UP = 6;
    static final int ANSWERED = 7;
    static final int LEAVING = 8;
    static final int CLOSED = 9;

    private static final int STATE_BITS = 8;
    private static final int STATE_MASK = (1 << STATE_BITS) - 1;
    private static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(SlotState.class, "word", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long word;
    /** The send to be acknowledged in LEAVING: written before that state is, so it belongs to the word read before. */
    private long leaving;

    /** Returns true when a send, and all before it, are known to be complete. Any thread. */
    abstract boolean isAcknowledged(long send);

    private static int state(long word) {
        return (int) word & STATE_MASK;
    }

    private static long next(long word, int state) {
        return (word | STATE_MASK) + 1 | state;
    }

    private static long with(long word, int state) {
        return word & ~STATE_MASK | state;
    }

    /** Claims a slot that is free, or whose one-way message was acknowledged. */
    final boolean tryClaim() {
        long now = (long) WORD.getOpaque(this);
        return state(now) == FREE
                ? WORD.compareAndSet(this, now, next(now, CLAIMED))
                : state(now) == LEAVING && tryLeave(false, CLAIMED);
    }

    /** Claims a slot again whose call has ended, and which is still the thread's. */
    final void claimAgain() {
        WORD.setRelease(this, next(word, CLAIMED));
    }

    /** Gives a one-way call's slot back once its message was sent, or will never be. */
    final void tryFreeLeaving(boolean lost) {
        tryLeave(lost, FREE);
    }

    /** Returns true while a one-way call's message may not have reached the server. */
    final boolean isLeaving() {
        return state((long) WORD.getAcquire(this)) == LEAVING && !isAcknowledged(leaving);
    }

    private boolean tryLeave(boolean lost, int state) {
        long now = (long) WORD.getAcquire(this);
        return state(now) == LEAVING && (lost || isAcknowledged(leaving))
                && WORD.compareAndSet(this, now, next(now, state));
    }

    /** Closes a slot that is free; true when it is closed, or has a call that nobody waits for. */
    final boolean tryClose() {
        long now = (long) WORD.getAcquire(this);
        return switch (state(now)) {
            case CLOSED, ABANDONED -> true;
            case FREE -> WORD.compareAndSet(this, now, next(now, CLOSED));
            default -> false;
        };
    }

    final int state() {
        return state((long) WORD.getAcquire(this));
    }

    /** Returns the number of the claim. Its claimant, or under the session's lock. */
    final long claim() {
        return word >>> STATE_BITS;
    }

    /** Returns true while the claim has neither sent nor ended. Its claimant. */
    final boolean isUnsent(long claim) {
        return (long) WORD.getOpaque(this) == (claim << STATE_BITS | CLAIMED);
    }

    /** Returns true while the answer is not there. */
    final boolean isPending() {
        int now = state();
        return now == SENT || now == ARRIVING;
    }

    /** Leaves a state for another, unless somebody else did. */
    final boolean move(int from, int to) {
        long now = (long) WORD.getOpaque(this);
        return state(now) == from && WORD.compareAndSet(this, now, with(now, to));
    }

    /** Leaves SENT; false when somebody else did. */
    final boolean leaveSent(int to) {
        return move(SENT, to);
    }

    /** The claimant's own step to a state: what it wrote before is seen by whoever sees the state. */
    final void set(int state) {
        WORD.setRelease(this, with(word, state));
    }

    /** As {@link #set}, where no other thread waits to see it. */
    final void setPlain(int state) {
        WORD.set(this, with(word, state));
    }

    /** As {@link #set}, and before any later load. */
    final void setFenced(int state) {
        WORD.setVolatile(this, with(word, state));
    }

    /** The message of a one-way call is under way, with this number. */
    final void leave(long send) {
        leaving = send;
        set(LEAVING);
    }
}
