package org.jvrpc.runtime.thread;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Whose turn it is to wait on a client's channel, where one thread can at a time. It is that of the event thread, the
 * owner, which may lend it: then a caller that sleeps leads, which is to wait there for its own answer, so that no
 * thread has to be woken to wake it. The owner has it back when it wants to; whoever leads is woken for that.
 */
public final class ChannelTurn {

    private static final int OWN = 0;
    /** And nobody leads. */
    private static final int LENT = 1;
    private static final int LED = 2;
    /** There is no owner: the device has one begin for the next event, and so does who calls it. */
    private static final int ABSENT = 3;
    /** The longest wait of an owner for one who leads, which was woken. */
    private static final long BACK_NS = 1_000_000;

    private final Events channel;
    private final Clock clock;
    private final Runnable beginner;
    private final AtomicInteger state;
    private volatile Thread owner;
    private volatile boolean wanted;
    /** Somebody called {@link #wakeup}, who may have found the channel lent. */
    private volatile boolean called;
    private volatile int leads;

    /** @param beginner has an owner begin who does {@link #tryOwn}; throws when there can be none */
    public ChannelTurn(Events channel, Clock clock, Runnable beginner) {
        this.channel = channel;
        this.clock = clock;
        this.beginner = beginner;
        this.state = new AtomicInteger(channel.notifies() ? ABSENT : OWN);
    }

    /** Begins to own the channel, if nobody does. */
    public boolean tryOwn() {
        return state.compareAndSet(ABSENT, OWN);
    }

    /** Ends {@link #tryOwn}, where no owner can begin. */
    public void disown() {
        state.set(ABSENT);
    }

    /** Ends the owner's part, if nothing calls for it: false when it is to go on. The owner. */
    public boolean leave() {
        keep();
        if (called || !channel.notifyOnce(this::callOwner)) {
            return false;
        }
        state.set(ABSENT);
        if (called && tryOwn()) { // who called before found an owner, or finds one again: nobody has ended a wait
            channel.wakeup();
            return false;
        }
        return true;
    }

    /** Waits as {@link Events#await}. The owner, which has its turn afterwards. */
    public void await(long timeoutNs) {
        boolean lent = keep();
        channel.await(lent && called ? 0 : timeoutNs);
        called = false; // what it was called for was noted before, and is looked at behind this
    }

    /** Parks until {@link #wakeup} or for so long, while callers may lead. The owner, which has no turn afterwards. */
    public void lend(long timeoutNs) {
        owner = Thread.currentThread();
        state.compareAndSet(OWN, LENT);
        if (!called) { // who calls from now on finds the channel lent
            clock.parkNanos(this, timeoutNs);
        }
        called = false;
    }

    /** Takes the channel back, if it was lent; true when it was. The owner. */
    public boolean keep() {
        if (state.get() == OWN) {
            return false;
        }
        wanted = true;
        while (!state.compareAndSet(LENT, OWN)) {
            channel.wakeup();
            clock.parkNanos(this, BACK_NS);
        }
        wanted = false;
        return true;
    }

    /** Ends the owner's wait of now, or the next one. Any thread; called after what it is for was noted. */
    public void wakeup() {
        try {
            callOwner();
        } catch (RuntimeException | OutOfMemoryError e) { // no memory for a thread: others than this one try again
            channel.wakeup();
        } catch (StackOverflowError e) { // the caller's
            channel.wakeup();
            throw e;
        }
    }

    private void callOwner() {
        called = true;
        switch (state.get()) {
            case OWN -> channel.wakeup();
            case ABSENT -> beginner.run();
            default -> LockSupport.unpark(owner);
        }
    }

    /** Begins to lead, if the channel is lent and nobody does. A caller, which may {@link #lead}, then ends it. */
    public boolean tryLead() {
        return !wanted && state.compareAndSet(LENT, LED);
    }

    /** Waits for an event, or until the owner wants its turn, or {@link #endLead} is due. Who leads. */
    public void lead(long timeoutNs) {
        channel.await(timeoutNs);
    }

    public void endLead() {
        leads = leads + 1; // one at a time
        state.set(LENT);
        if (wanted) {
            LockSupport.unpark(owner);
        }
    }

    /** Has whoever leads look whether its call has ended. Any thread, after the call's end. */
    public void callEnded() {
        if (isLed()) {
            channel.wakeup();
        }
    }

    public boolean isLed() {
        return state.get() == LED;
    }

    /** Returns how often callers led. */
    public int leads() {
        return leads;
    }
}
