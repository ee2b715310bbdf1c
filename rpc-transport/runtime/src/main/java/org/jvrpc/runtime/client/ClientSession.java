package org.jvrpc.runtime.client;

import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.counters.write.CallCounters;
import org.jvrpc.runtime.session.Bodies;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Deadline;
import org.jvrpc.runtime.thread.SpinLock;

/**
 * A client's session with one server process: slots, the lock under which its link is used, and what polls do with what
 * they find. Many threads.
 *
 * <p>The lock is held to send, to poll, and, by a synchronous caller that nobody waits behind, from the sending of its
 * request until it has read its answer where it landed. A caller that finds others waiting lets go between polls, and
 * then its answer is copied to its slot by whoever polls it.
 */
public final class ClientSession {

    private static final int MESSAGES_PER_POLL = 16;

    private final SessionOwner client;
    private final Link link;
    private final Bodies bodies;
    private final SlotTable slots;
    private final SlotGrowth growth;
    private final SessionEnd end;
    private final Abandonment abandonment;
    private final LongAnswers longAnswers;
    private final ClientReceiver receiver;
    private final Clock clock;
    private final SpinLock lock;
    private final long maxBodyBytes;
    private final String address;
    private final OneWayCredits credits;
    private final Attendance attendance;
    private final PeerChecks peerChecks;
    private final PackedRequests requests;
    private final Callbacks callbacks;
    private final CallCounters counters; // null where nothing is counted
    private volatile RpcException failure;
    private volatile boolean draining;
    private boolean failing;
    private RpcFuture<?> ready;

    public ClientSession(SessionOwner client, Link link, Bodies bodies, Hello granted, String address) {
        this.client = client;
        this.clock = client.clock();
        this.lock = new SpinLock(clock);
        this.link = link;
        this.bodies = bodies;
        this.maxBodyBytes = granted.maxBytes();
        this.credits = new OneWayCredits(link, granted.oneWayCredits(), granted.units());
        this.address = address;
        this.slots = new SlotTable(this, link, granted.firstUnits(), granted.units());
        this.growth = new SlotGrowth(this, slots, link);
        this.end = new SessionEnd(this, slots);
        this.longAnswers = new LongAnswers(this, link);
        this.abandonment = new Abandonment(this, slots);
        this.attendance = new Attendance(slots, credits, longAnswers);
        this.peerChecks = new PeerChecks(this, link, client.settings());
        this.requests = new PackedRequests(this, link, granted.packed());
        this.callbacks = new Callbacks(this, slots, requests);
        this.receiver = new ClientReceiver(this, link, slots, longAnswers);
        this.counters = CallCounters.of(client.counters(), address, slots.count(), granted.oneWayCredits());
    }

    public SessionOwner client() {
        return client;
    }

    Clock clock() {
        return clock;
    }

    public Link link() {
        return link;
    }

    public Bodies bodies() {
        return bodies;
    }

    long maxBodyBytes() {
        return maxBodyBytes;
    }

    public CallCounters counters() {
        return counters;
    }

    LongAnswers longAnswers() {
        return longAnswers;
    }

    /** Claims a slot if one is free, or returns null. */
    public ClientSlot tryClaim() {
        return slots.tryClaim();
    }

    /**
     * Claims a slot, waiting for one until the deadline; null when the session takes no new calls any more.
     *
     * @throws RpcException DEADLINE_EXCEEDED, or CANCELLED when the thread is interrupted while it waits
     */
    public ClientSlot claim(long endNs) {
        return slots.claim(endNs);
    }

    /** Takes the lock for a call, within the call's deadline. */
    void lock(ClientSlot call) {
        if (!lock.tryLock()) {
            lock.lock(Deadline.leftNs(clock, call.endNs()));
        }
    }

    public void lock() {
        lock.lockUninterruptibly();
    }

    boolean tryLock() {
        return lock.tryLock();
    }

    boolean hasWaiters() {
        return lock.hasWaiters();
    }

    /** Lets the lock go. Futures whose answers were polled under it complete elsewhere: a call has its own deadline. */
    public void unlock() {
        unlock(ClientEvents.Where.ELSEWHERE);
    }

    private void unlock(ClientEvents.Where dependents) {
        RpcFuture<?> answered = null;
        if (ready != null && lock.isOutermost()) {
            answered = ready;
            ready = null;
        }
        boolean due = callbacks.areDue() && lock.isOutermost();
        lock.unlock();
        if (answered != null) {
            client.events().complete(answered, dependents);
        }
        if (due && !callbacks.isCurrent()) { // who is at it finds them itself
            client.events().callBack(this, dependents);
        }
    }

    /** Lets the lock go under which nothing ended. */
    void unlockOnly() {
        lock.unlock();
    }

    public Callbacks callbacks() {
        return callbacks;
    }

    PackedRequests requests() {
        return requests;
    }

    /** After an {@link #unlock}: lets those have the lock who wait for it. */
    void giveWay() {
        lock.giveWay();
    }

    /**
     * Polls what is there, also which one-way calls have left, if nobody else does; true for a message or a piece of a
     * long answer.
     */
    public boolean tryPoll() {
        return tryPoll(ClientEvents.Where.ELSEWHERE);
    }

    /** @param dependents where that runs which depends on the futures that were answered */
    public boolean tryPoll(ClientEvents.Where dependents) {
        if (!lock.tryLock()) {
            return false;
        }
        int count = 0;
        boolean piece = false;
        try {
            for (int more = 1; more > 0 && count < MESSAGES_PER_POLL; count += more) {
                more = pollOnce(null);
            }
            if (count > 0) {
                link.expectSends(callbacks.areDue() ? count + 3 >>> 2 : count); // one for each answer, likely
            }
            piece = longAnswers.poll();
            link.reap();
            flushControls();
        } finally {
            unlock(dependents);
        }
        if (piece) {
            giveWay();
        }
        return count > 0 || piece;
    }

    /**
     * Handles one message, under the lock. The answer to {@code current} stays where it landed.
     *
     * @return how many answers it held, 1 for a control message, 0 when there was none
     */
    int pollOnce(ClientSlot current) {
        try {
            if (link.poll()) {
                return receiver.message(current);
            }
            if (link.failure() != null) {
                fail();
            }
        } catch (Throwable t) {
            breakDown(t);
        }
        return 0;
    }

    /**
     * Nobody knows what became of the message at hand, nor of its call: the session ends, and with it its calls. An
     * error of the machine is the caller's too.
     */
    void breakDown(Throwable cause) {
        client.log().error("session with {} ends", address, cause);
        link.breakOff();
        fail(cause.toString());
        end.endCalls(); // also one that was arriving in a session that had failed before
        if (cause instanceof VirtualMachineError error) {
            throw error;
        }
    }

    /** Takes credits back that came with the message at hand, which goes first: the next poll finds a broken link. */
    void giveCredits(int more) {
        if (!credits.give(more)) {
            link.breakOff();
        } else if (counters != null) {
            counters.session().credits(credits.count());
        }
    }

    /** Sends what waits for a credit, or for its slot, if there is one now. Under the lock. */
    void flushControls() {
        if (failure == null && !credits.flush()) {
            fail();
        } else if (credits.mayWait()) {
            growth.controlWaits();
        }
    }

    /** An asynchronous call has ended, if it was one. */
    void finishAsync(ClientSlot slot) {
        if (slot.future != null) {
            finishFuture(slot);
        } else if (slot.hasCallback()) {
            callbacks.ended(slot);
        }
    }

    /** Decodes the answer for a future and puts it on the list of those to be completed. */
    void finishFuture(ClientSlot slot) {
        RpcFuture<?> future = slot.future;
        attendance.asyncEnds();
        future.next = ready;
        ready = future;
        slot.completeFuture(); // last, as giving back memory may throw
    }

    /** Waits, with the lock held on entry, for the end of a call; holds it on return only if the answer is in place. */
    void await(ClientSlot call) {
        boolean ended = spin(call);
        if (!call.holdsLock()) {
            unlock();
        }
        if (!ended) {
            Callbacks.leaveCurrent();
            call.waiting.run();
        }
    }

    /** Polls for some microseconds, or until somebody waits for the lock; true when the call ended. */
    private boolean spin(ClientSlot call) {
        ClientSlot inPlace = call.staysInPlace();
        int most = attendance.pollsPerLook();
        try {
            for (int spins = 1;; spins++) {
                pollOnce(inPlace);
                if (!call.isPending()) {
                    return true;
                }
                if (lock.hasWaiters() || (spins & most - 1) == 0) {
                    return false;
                }
                Thread.onSpinWait(); // or the answer comes later, where lines are slow to move between processors
            }
        } catch (VirtualMachineError e) {
            if (!call.holdsLock()) {
                unlock();
            }
            throw e;
        }
    }

    /** A synchronous caller goes to sleep, or is awake again. */
    void sleeps(boolean asleep) {
        attendance.sleeps(asleep);
        if (asleep) {
            client.events().call();
        }
    }

    /** Sends a message without a body as soon as there is a credit, and a slot for it. Under the lock. */
    void sendControl(int kind, int callId) {
        credits.sendLater(kind, callId);
        flushControls();
    }

    /** Returns how calls end that are not waited for any more. */
    public Abandonment abandonment() {
        return abandonment;
    }

    SlotGrowth growth() {
        return growth;
    }

    OneWayCredits credits() {
        return credits;
    }

    public Attendance attendance() {
        return attendance;
    }

    public PeerChecks peerChecks() {
        return peerChecks;
    }

    public int unattended() {
        return attendance.unattended() + (link.isBehind() ? 1 : 0); // one-way calls, perhaps
    }

    /** Ends the asynchronous calls whose time is over. */
    public void tick(long nowNs) {
        if (attendance.asyncCalls() > 0) {
            slots.expire(nowNs);
        }
    }

    /** Waits until one-way calls have left, within limits. Any thread. */
    public void awaitLeft() {
        end.awaitLeft();
    }

    /** Ends the session from outside: takes what arrived, then fails what is left. */
    public void end() {
        link.breakOff();
        lock.lockUninterruptibly();
        try {
            fail();
        } finally {
            unlock();
        }
    }

    /**
     * Ends the session under the lock: takes what arrived, for what the server answered before it went is still an
     * answer; then every call in flight fails, once. Not while a message is handled.
     */
    void fail() {
        if (failure == null && !failing) {
            failing = true;
            link.breakOff(); // so that no more comes than is there
            while (pollOnce(null) > 0) {
                // which ends calls
            }
            fail(link.failure() == null ? "peer is gone" : link.failure());
        }
    }

    /** Ends the session, or the calls that were sent after its end. Under the lock. */
    void failSent() {
        fail();
        end.endCalls();
    }

    private void fail(String why) {
        if (failure != null) {
            return;
        }
        failure = new RpcException(Status.UNAVAILABLE, "connection to " + address + " is lost: " + why
                + client.trouble());
        end.endCalls();
        client.lost(this);
    }

    void breakOff(String why) {
        client.log().warn("{}: protocol error, {}", address, why);
        end.doubt();
        link.fail("protocol error, " + why); // which callers are told
        link.breakOff();
    }

    boolean isLost() {
        return failure != null;
    }

    public boolean isUsable() {
        return failure == null && !draining;
    }

    /** Takes no new calls; those in flight go on. */
    public void drain() {
        draining = true;
    }

    /** The server takes no more calls; told again, it has answered all that it took. */
    void goAway() {
        end.told();
        draining = true;
        client.lost(this);
    }

    /** Takes the free slots of a session that takes no new calls; true when neither a call nor a callback is left. */
    public boolean isDrained() {
        return slots.close(failure != null) && callbacks.areOver();
    }

    /** Gives back what its calls still have. Under the lock, after its link was closed. */
    public void clear() {
        slots.dropRequests();
        longAnswers.clear();
    }

    RpcException unanswered() {
        return end.unanswered();
    }

    /** Returns a new exception each time, so that each has its caller's stack. */
    RpcException lost() {
        return new RpcException(Status.UNAVAILABLE,
                failure == null ? "connection to " + address + " is lost" : failure.getMessage());
    }
}
