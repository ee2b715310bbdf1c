package org.jvrpc.runtime.client;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.client.callback.DetachedAnswer;
import org.jvrpc.runtime.client.callback.SlotCallback;

/**
 * The calls of a session that have ended and whose callbacks are still to be called, and the thread that calls them:
 * one at a time, so that callbacks need not guard what they have in common. A thread whose callback waits in a call of
 * its own hands over to others first.
 */
public final class Callbacks {

    private static final int FREE = 0;
    private static final int TAKEN = 1;
    /** Taken, and {@link #owner} is by whom. */
    private static final int OWNED = 2;
    private static final VarHandle STATE;
    private static final VarHandle COUNT;
    private static final int FEW = 64;
    private static final int NO_SLOT = -1;
    /** The thread that asked may do something else after so many runs. */
    private static final int MOST_RUNS = 4;
    /** Callbacks that wait may have others called on their thread, and these again. */
    private static final int MOST_NESTED = 8;
    private static final ThreadLocal<Nesting> NESTING = ThreadLocal.withInitial(Nesting::new);

    /** In how many callbacks a thread is, and whose the innermost is. */
    private static final class Nesting {
        private Callbacks innermost;
        private int depth;
    }

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Callbacks.class, "state", int.class);
            COUNT = MethodHandles.lookup().findVarHandle(Callbacks.class, "count", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ClientSession session;
    private final SlotTable slots;
    private final PackedRequests requests;
    /** Numbers of the slots of calls that have ended, which are taken until then. Under the session's lock. */
    private int[] ended = new int[FEW];
    /** What hears of calls that have no slot any more, for which there is {@link #NO_SLOT} in the list. */
    private ArrayDeque<Runnable> unanswered = new ArrayDeque<>();
    private int count; // written under the session's lock, read by others
    private int state;
    /** Who has the state, or had it last. */
    private Thread owner;
    // what follows is the owner's
    private int[] taken = new int[FEW];
    private int next;
    private int end;
    /** Changes with each owner. */
    private int turn;
    /** The slot whose callback runs, which its next call takes without a locked operation; or {@link #NO_SLOT}. */
    private int kept = NO_SLOT;

    Callbacks(ClientSession session, SlotTable slots, PackedRequests requests) {
        this.session = session;
        this.slots = slots;
        this.requests = requests;
    }

    /** A call has ended whose answer, or failure, is in its slot. Under the session's lock. */
    void ended(ClientSlot slot) {
        add(slot.index);
        session.attendance().asyncEnds();
        slot.callback().ended();
    }

    /** A call has ended that keeps its slot until its answer comes. Under the session's lock. */
    void ended(SlotCallback heard, RpcException failure) {
        unanswered.add(() -> heard.fail(failure));
        add(NO_SLOT);
        session.attendance().asyncEnds();
    }

    private void add(int index) {
        if (count == ended.length) {
            ended = Arrays.copyOf(ended, 2 * count);
        }
        ended[count] = index;
        COUNT.setRelease(this, count + 1);
    }

    /** Returns true while there are some to be called. Any thread. */
    public boolean areDue() {
        return (int) COUNT.getAcquire(this) > 0;
    }

    /**
     * Returns true when none is due, and none in the hands of a thread: the answer of one may lie in the session's
     * memory, and one without a slot is nowhere else. Any thread.
     */
    boolean areOver() {
        session.lock();
        try { // under which they change hands: who takes some has the state until they are called, or are due again
            return count == 0 && (int) STATE.getAcquire(this) == FREE;
        } finally {
            session.unlockOnly();
        }
    }

    /** Returns true on the thread that calls callbacks, in one of them. */
    boolean isCurrent() {
        return (int) STATE.getAcquire(this) == OWNED && owner == Thread.currentThread();
    }

    /**
     * Calls those that are due, unless another thread is at it, which finds them then. After some runs the event thread
     * goes on, as the caller has something else to do, too. Without the session's lock.
     */
    public void run() {
        Nesting nesting = NESTING.get();
        if (nesting.depth == MOST_NESTED) { // each of them waits for something, and would have the next one called
            session.client().events().callBackSoon();
            return;
        }
        Callbacks outer = nesting.innermost;
        nesting.innermost = this;
        nesting.depth++;
        try {
            for (int runs = 0; areDue() && own(); runs++) { // whoever adds some looks for an owner afterwards
                if (!runOnce()) {
                    return; // others are at it
                }
                if (runs == MOST_RUNS && areDue()) {
                    session.client().events().callBackSoon();
                    return;
                }
            }
        } finally {
            nesting.depth--;
            nesting.innermost = outer;
        }
    }

    private boolean runOnce() {
        int mine = turn;
        try {
            return runAll(mine);
        } finally {
            if (turn == mine && isCurrent()) {
                disown();
            }
        }
    }

    private boolean own() {
        if (!STATE.compareAndSet(this, FREE, TAKEN)) {
            return false;
        }
        Thread me = Thread.currentThread();
        if (owner != me) {
            owner = me;
        }
        STATE.setRelease(this, OWNED);
        turn++;
        return true;
    }

    private void disown() {
        STATE.setVolatile(this, FREE); // before the look at what is due
    }

    /** Returns false when the thread is not the owner any more. */
    private boolean runAll(int mine) {
        take();
        requests.begin();
        int all = end;
        while (next < end) {
            call(taken[next++]);
            if (turn != mine || !isCurrent()) {
                return false;
            }
            freeKept();
        }
        requests.end(all);
        return true;
    }

    private void take() {
        session.lock();
        try {
            int[] due = ended;
            end = count;
            next = 0;
            ended = taken;
            taken = due;
            COUNT.setRelease(this, 0);
        } finally {
            session.unlockOnly();
        }
    }

    private void call(int index) {
        try {
            if (index == NO_SLOT) {
                nextUnanswered().run();
            } else {
                ClientSlot slot = slots.find(index);
                slot.callback().run(slot);
            }
        } catch (Throwable t) {
            session.client().logCallback(t);
        }
    }

    /** The call of a slot is over, and its callback is called. Its thread, which may have left while it decoded. */
    void keep(ClientSlot slot) {
        if (isCurrent()) {
            kept = slot.index;
        } else {
            slot.set(ClientSlot.FREE);
        }
    }

    /** Claims the slot whose callback this thread is in, where there is one and it is not taken; or returns null. */
    ClientSlot claimKept() {
        if (kept == NO_SLOT || !isCurrent()) {
            return null;
        }
        ClientSlot slot = slots.find(kept);
        kept = NO_SLOT;
        slot.claimAgain();
        return slot;
    }

    private void freeKept() {
        if (kept != NO_SLOT) {
            ClientSlot slot = slots.find(kept);
            kept = NO_SLOT;
            slot.set(ClientSlot.FREE);
        }
    }

    private Runnable nextUnanswered() {
        session.lock();
        try {
            return unanswered.remove();
        } finally {
            session.unlockOnly();
        }
    }

    /** A callback is about to send something itself, behind what others asked for. */
    void flush() {
        if (requests.areHeld() && isCurrent()) {
            requests.flush();
        }
    }

    /** Frees the slots of calls that have ended: somebody waits for one. */
    void detach() {
        if (!areDue()) {
            return;
        }
        session.lock();
        try {
            ArrayDeque<Runnable> all = new ArrayDeque<>();
            for (int taken = unanswered.size() - countDetached(); taken > 0; taken--) {
                all.add(unanswered.remove()); // of those that the owner is at
            }
            for (int i = 0; i < count; i++) {
                if (ended[i] == NO_SLOT) {
                    all.add(unanswered.remove());
                    continue;
                }
                ClientSlot slot = slots.find(ended[i]);
                DetachedAnswer answer = slot.detach();
                all.add(answer::run);
                ended[i] = NO_SLOT;
                slot.release();
            }
            unanswered = all;
        } finally {
            session.unlockOnly();
        }
    }

    private int countDetached() {
        int detached = 0;
        for (int i = 0; i < count; i++) {
            detached += ended[i] == NO_SLOT ? 1 : 0;
        }
        return detached;
    }

    /** Returns true on a thread that is in a callback. */
    static boolean isCalling() {
        return NESTING.get().depth > 0;
    }

    /** The thread is about to wait: where it is in a callback, of whichever session, that one does {@link #leave}. */
    public static void leaveCurrent() {
        Callbacks innermost = NESTING.get().innermost;
        if (innermost != null) {
            innermost.leave();
        }
    }

    /**
     * A callback is about to wait for something of this client: sends what callbacks asked for, and leaves those that
     * are due to other threads.
     */
    void leave() {
        if (!isCurrent()) {
            return;
        }
        freeKept();
        requests.flush();
        session.lock();
        try {
            int rest = end - next;
            int[] later = Arrays.copyOf(ended, Math.max(ended.length, count + rest));
            System.arraycopy(later, 0, later, rest, count);
            System.arraycopy(taken, next, later, 0, rest);
            ended = later;
            end = next;
            COUNT.setRelease(this, count + rest);
        } finally {
            session.unlockOnly();
        }
        disown();
        if (areDue()) {
            session.client().events().callBack(session, ClientEvents.Where.ELSEWHERE);
        }
    }
}
