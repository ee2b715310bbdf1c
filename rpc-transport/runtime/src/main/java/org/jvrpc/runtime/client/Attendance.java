package org.jvrpc.runtime.client;

import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.runtime.thread.Idler;

/** Who of a session waits, and whether anybody polls for them: what the event thread goes by. */
public final class Attendance {

    private final SlotTable slots;
    private final OneWayCredits credits;
    private final LongAnswers longAnswers;
    private final AtomicInteger sleepers = new AtomicInteger();
    private int asyncInFlight; // written under the session's lock, read by the event thread between waits
    private int pollsPerLook = Idler.SPINS_PER_LOOK; // of whoever waited last, as good a guess as any
    private int polls; // by threads that wait for their calls; read by the event thread

    Attendance(SlotTable slots, OneWayCredits credits, LongAnswers longAnswers) {
        this.slots = slots;
        this.credits = credits;
        this.longAnswers = longAnswers;
    }

    /** Returns the slots of the session. */
    SlotTable slots() {
        return slots;
    }

    /** Returns how many slots are neither free nor closed. */
    public int inUse() {
        return slots.inUse();
    }

    /** Returns how often to poll for an answer before the first look at the clock. */
    int pollsPerLook() {
        return pollsPerLook;
    }

    /** A thread that waited found that so many polls are right. */
    void pollsPerLook(int count) {
        pollsPerLook = count;
    }

    /**
     * Returns the number of those for whom nobody polls: asynchronous calls, callers that sleep, control messages
     * without a credit or a slot, long answers that may be nobody's any more.
     */
    int unattended() {
        boolean orphans = longAnswers.areUnderWay() && slots.hasAbandoned();
        return asyncInFlight + sleepers.get() + (credits.mayWait() ? 1 : 0) + (orphans ? 1 : 0);
    }

    /** A thread polls that waits for its own call. */
    public void countPoll() {
        polls = polls + 1; // lost counts do no harm: it is only looked at for changes
    }

    int polls() {
        return polls;
    }

    /** A synchronous caller goes to sleep, or is awake again. */
    void sleeps(boolean asleep) {
        sleepers.addAndGet(asleep ? 1 : -1);
    }

    /** Counts calls in; returns true when there were none. Under the session's lock. */
    boolean asyncStarts(int calls) {
        asyncInFlight = asyncInFlight + calls;
        return asyncInFlight == calls;
    }

    void asyncEnds() {
        asyncInFlight = asyncInFlight - 1;
    }

    int asyncCalls() {
        return asyncInFlight;
    }
}
