package org.jvrpc.runtime.client;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.SpinLock;
import org.jvrpc.verbs.rare.Rare;

/** The slots of a client's session, and who gets one. Many threads. */
final class SlotTable {

    private final ClientSession session;
    private final Clock clock;
    private final Link link;
    /** Replaced by a longer one that begins with the same. */
    private volatile ClientSlot[] slots = {};
    /** How many there may be. */
    private volatile int most;
    /** More are on their way, or will never come. */
    private volatile boolean growing;
    /** All slots were closed that there were: those that are added are closed, too. */
    private volatile boolean closed;
    /** Calls that nobody waits for any more, and whose answers have not come. */
    private final AtomicInteger abandoned = new AtomicInteger();
    private int next; // a hint; races do no harm

    /** @param most how many there may be, when it has grown */
    SlotTable(ClientSession session, Link link, int count, int most) {
        this.session = session;
        this.clock = session.clock();
        this.link = link;
        this.most = most;
        grow(count);
    }

    /** Adds slots, up to so many in all, of a link that has them. Under the session's lock. */
    void grow(int count) {
        int before = slots.length;
        ClientSlot[] all = Arrays.copyOf(slots, count);
        for (int i = before; i < count; i++) {
            all[i] = new ClientSlot(session, clock, i, link.body(i));
            all[i].tryClaim();
        }
        slots = all; // taken as they are, so that whoever closes the slots meanwhile either sees these or is seen
        int state = closed ? ClientSlot.CLOSED : ClientSlot.FREE;
        for (int i = before; i < count; i++) {
            all[i].set(state);
        }
    }

    /** There are as many as there may be. */
    void stay() {
        most = slots.length;
    }

    /** More slots are asked for, or came, or will not. */
    void grows(boolean now) {
        growing = now;
    }

    int most() {
        return most;
    }

    int count() {
        return slots.length;
    }

    boolean mayGrow() {
        return slots.length < most;
    }

    ClientSlot[] all() {
        return slots;
    }

    /** Returns how many are neither free nor closed. */
    int inUse() {
        int count = 0;
        for (ClientSlot slot : slots) {
            int state = slot.state();
            count += state != ClientSlot.FREE && state != ClientSlot.CLOSED ? 1 : 0;
        }
        return count;
    }

    /** Returns a slot by its number from the wire, or null. */
    ClientSlot find(int index) {
        ClientSlot[] all = slots;
        return index < all.length ? all[index] : null;
    }

    /** Claims a slot if one is free, the same one for the same thread where it is; or returns null. */
    ClientSlot tryClaim() {
        ClientSlot kept = session.callbacks().claimKept();
        if (kept != null) {
            return kept;
        }
        ClientSlot[] all = slots;
        // Threads have their own slots among a power of two of them, so that no division finds one.
        int own = (int) Thread.currentThread().getId() & Integer.highestOneBit(all.length) - 1;
        return all[own].tryClaim() ? all[own] : claimAny(all);
    }

    private ClientSlot claimAny(ClientSlot[] all) {
        for (int n = 0, i = next; n < all.length; n++) {
            i = i + 1 >= all.length ? 0 : i + 1;
            if (all[i].tryClaim()) {
                next = i;
                return all[i];
            }
        }
        return null;
    }

    /** Claims a slot, waiting for one until the deadline; null when the session takes no new calls any more. */
    ClientSlot claim(long endNs) {
        long startNs = clock.nanoTime();
        for (int spins = 0;; spins++) {
            ClientSlot slot = tryClaim();
            if (!session.isUsable()) { // a slot came free, perhaps, because its session was lost
                if (slot != null) {
                    Rare.reached("a slot of a session that takes no calls is given back");
                    slot.close();
                }
                return null;
            }
            if (slot != null) {
                return slot;
            }
            Callbacks.leaveCurrent();
            session.callbacks().detach();
            session.growth().begin();
            session.attendance().countPoll();
            session.tryPoll(ClientEvents.Where.HERE_IF_NONE);
            session.client().events().publishOwn();
            long nowNs = clock.nanoTime();
            if (nowNs - endNs >= 0) {
                throw RpcException.notRun(Status.DEADLINE_EXCEEDED, "no slot came free in " + (nowNs - startNs) / 1000
                        + " us: slots=" + slots.length + " abandoned=" + abandoned);
            }
            if (Thread.currentThread().isInterrupted()) {
                throw RpcException.notRun(Status.CANCELLED, "interrupted while waiting for a slot: slots="
                        + slots.length);
            }
            SpinLock.pause(clock, spins);
        }
    }

    /** A call is not waited for any more, and keeps its slot; true when now so many do that it matters. */
    boolean abandon() {
        return abandoned.incrementAndGet() == mostAbandoned();
    }

    /** An abandoned call was answered after all. */
    void abandonedAnswered() {
        abandoned.decrementAndGet();
    }

    /** Returns true when there are calls that nobody waits for. Any thread. */
    boolean hasAbandoned() {
        return abandoned.get() != 0;
    }

    /** Returns true when calls that nobody waits for have half of the slots or more. */
    boolean isChoked() {
        return abandoned.get() >= mostAbandoned();
    }

    /**
     * Half of those that there may be, as calls that find none have others made; while these are on their way, all that
     * there are: the server may be no more able to give slots than answers.
     */
    private int mostAbandoned() {
        int half = (most + 1) / 2;
        return growing ? Math.min(slots.length, half) : half;
    }

    /** Ends the asynchronous calls whose time is over. Event thread. */
    void expire(long nowNs) {
        boolean callbacks = false;
        for (ClientSlot slot : slots) {
            callbacks |= slot.hasCallback();
            RpcFuture<?> future = slot.future;
            if (future != null && future.isOver(clock, nowNs)) {
                String method = slot.method().fullName();
                if (session.abandonment().giveUp(slot, future)) {
                    future.completeExceptionally(future.isCancelledAbove()
                            ? new RpcException(Status.CANCELLED, "cancelled while waiting for the answer of " + method)
                            : new RpcException(Status.DEADLINE_EXCEEDED, "no answer in time: " + method));
                }
            }
        }
        if (callbacks) {
            session.abandonment().expireCallbacks(nowNs);
        }
    }

    /** Gives back what calls had that nobody waits for. Under the session's lock, after its end. */
    void dropRequests() {
        for (ClientSlot slot : slots) {
            slot.dropRequest();
        }
    }

    /**
     * Closes the slots that are free, so that nobody claims one while the session goes; true when no call is left that
     * somebody waits for. Where the session is lost, no answer comes that slots could wait for.
     */
    boolean close(boolean lost) {
        ClientSlot[] all = slots;
        boolean over = true;
        for (ClientSlot slot : all) {
            if (lost) {
                slot.retire();
            }
            slot.tryFreeLeaving(lost);
            over &= slot.tryClose();
        }
        if (over) {
            closed = true;
            over = slots == all;
        }
        return over;
    }
}
