package org.jvrpc.runtime;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.verbs.Connection;

/**
 * A client's session with one server process: slots, the lock under which its link is used, and what polls do with what
 * they find. Many threads.
 *
 * <p>The lock is held to send, to poll, and, by a synchronous caller that nobody waits behind, from the sending of its
 * request until it has read its answer where it landed. A caller that finds others waiting lets go between polls, and
 * then its answer is copied to its slot by whoever polls it.
 */
final class ClientSession {

    private static final long WAIT_SLICE_NS = 5_000_000;

    private final RpcClient client;
    private final Link link;
    private final BodyPool bodies;
    private final SlotTable slots;
    private final SessionLock lock = new SessionLock();
    private final long maxBodyBytes;
    private final String address;
    private final AtomicInteger sleepers = new AtomicInteger();
    private Connection connection;
    private int credits;
    private int asyncInFlight; // written under the lock, read by the event thread between waits
    private int polls; // by threads that wait for their calls; read by the event thread
    private volatile RpcException failure;
    private volatile boolean draining;
    private RpcFuture<?> ready;

    ClientSession(RpcClient client, Link link, BodyPool bodies, Hello granted, String address) {
        this.client = client;
        this.link = link;
        this.bodies = bodies;
        this.maxBodyBytes = granted.maxBodyBytes();
        this.credits = granted.oneWayCredits();
        this.address = address;
        this.slots = new SlotTable(this, link, granted.slots());
    }

    void connected(Connection made) {
        connection = made;
    }

    RpcClient client() {
        return client;
    }

    Connection connection() {
        return connection;
    }

    Link link() {
        return link;
    }

    BodyPool bodies() {
        return bodies;
    }

    /** Claims a slot, waiting for one within the deadline. */
    ClientSlot claim(long deadlineNs) {
        return slots.claim(deadlineNs);
    }

    /** Takes the lock for a call, within the call's deadline. */
    void lock(ClientSlot call) {
        if (!lock.tryLock()) {
            lock.lock(call.deadlineNs());
        }
    }

    /** Lets the lock go, then completes the futures whose answers were polled under it. */
    void unlock() {
        RpcFuture<?> list = null;
        if (ready != null && lock.isOutermost()) {
            list = ready;
            ready = null;
        }
        lock.unlock();
        while (list != null) {
            RpcFuture<?> next = list.next;
            list.publish();
            list = next;
        }
    }

    // ---- polling

    /** As {@link #help}, for a caller that waits and goes on doing so: the event thread need not poll. */
    boolean helpSelf() {
        polls = polls + 1; // lost counts do no harm: it is only looked at for changes
        return help();
    }

    /** Polls what is there, also which one-way calls have left, if nobody else does; returns true for a message. */
    boolean help() {
        if (!lock.tryLock()) {
            return false;
        }
        boolean any = false;
        try {
            for (int i = 0; i < 16 && pollOnce(null); i++) {
                any = true;
            }
            link.reap();
        } finally {
            unlock();
        }
        return any;
    }

    /** Handles one message, under the lock. The answer to {@code current} stays where it landed. */
    private boolean pollOnce(ClientSlot current) {
        if (!link.poll()) {
            if (link.failure() != null) {
                fail();
            }
            return false;
        }
        long first = link.first();
        long second = link.second();
        if (RpcHeader.kind(first) == RpcHeader.RESPONSE) {
            credits += RpcHeader.credits(second);
            response(current, first, second);
        } else {
            control(first, second);
        }
        return true;
    }

    private void control(long first, long second) {
        switch (RpcHeader.kind(first)) {
            case RpcHeader.CREDIT -> credits += RpcHeader.credits(second);
            case RpcHeader.GO_AWAY -> {
                draining = true;
                client.goAway(this);
            }
            default -> breakOff("message of unknown kind=" + RpcHeader.kind(first));
        }
    }

    private void response(ClientSlot current, long first, long second) {
        int callId = RpcHeader.callId(first);
        int length = link.payloadLength() - RpcHeader.BYTES;
        ClientSlot slot = slots.find(RpcHeader.slot(callId));
        if (slot == null || !slot.isCurrent(callId)) {
            breakOff("answer to no call: callId=" + Integer.toHexString(callId));
            return;
        }
        int flags = RpcHeader.flags(first);
        boolean rendezvous = (flags & RpcHeader.RENDEZVOUS) != 0;
        if (rendezvous ? length != RpcHeader.DESCRIPTOR_BYTES : length != RpcHeader.bodyLength(second)) {
            breakOff("answer of length=" + length + " says bodyLength=" + RpcHeader.bodyLength(second));
            return;
        }
        if (length > link.slotBytes()) {
            breakOff("answer is longer than a slot: bytes=" + length);
            return;
        }
        boolean threw = (flags & RpcHeader.THROWN) != 0;
        Status status = threw ? Status.OK : Status.ofCode(RpcHeader.method(first));
        int thrown = threw ? RpcHeader.method(first) : 0;
        if (rendezvous) {
            LongAnswer.fetch(this, slot, status, thrown, RpcHeader.bodyLength(second));
        } else {
            arrive(current, slot, status, thrown, length);
        }
    }

    private void arrive(ClientSlot current, ClientSlot slot, Status status, int thrown, int length) {
        ByteBuffer in = link.payload();
        int at = link.payloadOffset() + RpcHeader.BYTES;
        if (slot == current && !lock.hasWaiters()) {
            slot.arriveInPlace(status, thrown, in, at, length);
        } else if (!slot.leaveSent(ClientSlot.ARRIVING)) {
            late(slot);
        } else if (slot.future != null) {
            slot.arriveForFuture(status, thrown, in, at, length);
            finishFuture(slot);
        } else {
            slot.arriveElsewhere(status, thrown, in, at, length);
        }
    }

    /** An answer came to a call that does not wait for it. */
    void late(ClientSlot slot) {
        if (!slot.retire()) {
            breakOff("second answer to a call: callId=" + Integer.toHexString(slot.callId()));
        }
    }

    /** Decodes the answer for a future and puts it on the list of those to be completed. */
    void finishFuture(ClientSlot slot) {
        RpcFuture<?> future = slot.future;
        slot.completeFuture();
        asyncEnds();
        future.next = ready;
        ready = future;
    }

    /** Sends a message without a body, when there is a credit or soon will be. */
    void sendControl(int kind, int callId) {
        for (int spins = 0; credits == 0 && failure == null && spins < 1 << 20; spins++) {
            if (!pollOnce(null)) {
                Thread.onSpinWait();
            }
        }
        if (credits > 0 && failure == null) {
            credits--;
            if (!link.sendControl(RpcHeader.first(kind, 0, 0, callId), RpcHeader.second(0, 0, 0))) {
                fail();
            }
        }
    }

    /** Waits, with the lock held on entry, for the end of a call; holds it on return only if the answer is in place. */
    void await(ClientSlot call) {
        ClientSlot inPlace = call.staysInPlace();
        for (int spins = 1;; spins++) {
            pollOnce(inPlace);
            if (!call.isPending()) {
                if (!call.holdsLock()) {
                    unlock();
                }
                return;
            }
            if (lock.hasWaiters() || (spins & Idler.SPINS_PER_LOOK - 1) == 0) {
                unlock();
                new Waiting(this, call).run();
                return;
            }
            // No pause in these first microseconds: a poll is one, and a pause would cost what an answer takes.
        }
    }

    /** Polls for a waiting call if nobody else does, and keeps the lock when the answer is in place. */
    void pollFor(ClientSlot call) {
        if (lock.tryLock()) {
            polls = polls + 1;
            ClientSlot inPlace = call.staysInPlace();
            for (int i = 0; i < Idler.SPINS_PER_LOOK && !lock.hasWaiters(); i++) {
                pollOnce(inPlace);
                if (!call.isPending()) {
                    break;
                }
                Thread.onSpinWait();
            }
            if (!call.holdsLock()) {
                unlock();
            }
        }
    }

    /** Sleeps until the call ends or some milliseconds are over; the event thread polls meanwhile. */
    void sleep(ClientSlot call, long limitNs) {
        call.waiter = Thread.currentThread();
        sleepers.incrementAndGet();
        try {
            client.events().call();
            if (call.isPending()) {
                LockSupport.parkNanos(this, Math.min(limitNs, WAIT_SLICE_NS));
            }
        } finally {
            sleepers.decrementAndGet();
            call.waiter = null;
        }
    }

    /** Ends a synchronous call that is not waited for any more; false when it ended otherwise. */
    boolean giveUp(ClientSlot call) {
        int callId = call.callId();
        if (!call.leaveSent(ClientSlot.GIVEN_UP)) {
            return false;
        }
        if (lock.tryLock()) {
            try {
                cancel(callId);
            } finally {
                unlock();
            }
        }
        return true;
    }

    /** The same for an asynchronous call. */
    boolean giveUp(ClientSlot call, RpcFuture<?> future) {
        lock.lock(SessionLock.NO_LIMIT_NS);
        try {
            boolean mine = call.future == future && call.leaveSent(ClientSlot.ABANDONED);
            if (mine) {
                call.future = null;
                asyncEnds();
                cancel(call.callId());
            }
            return mine;
        } finally {
            unlock();
        }
    }

    /** Tells the server, if a credit is at hand; it need not know. */
    private void cancel(int callId) {
        if (credits > 0 && failure == null) {
            sendControl(RpcHeader.CANCEL, callId);
        }
    }

    /** Takes a credit for a one-way call, polling for one within the deadline; under the lock. */
    void takeCredit(ClientSlot call) {
        checkUsable();
        long endNs = 0;
        for (int spins = 1; credits == 0; spins++) {
            pollOnce(null);
            checkUsable();
            if ((spins & Idler.SPINS_PER_LOOK - 1) == 0) {
                long nowNs = System.nanoTime();
                endNs = endNs == 0 ? nowNs + call.deadlineNs() : endNs;
                if (nowNs - endNs > 0) {
                    throw new RpcException(Status.DEADLINE_EXCEEDED, "server takes no more one-way calls: "
                            + call.method().fullName());
                }
            }
            Thread.onSpinWait();
        }
        credits--;
    }

    // ---- for the event thread

    /** Returns the number of calls that nobody polls for: asynchronous ones and those whose callers sleep. */
    int unattended() {
        return asyncInFlight + sleepers.get();
    }

    int polls() {
        return polls;
    }

    /** Ends the asynchronous calls whose time is over. */
    void tick(long nowNs) {
        if (asyncInFlight > 0) {
            slots.expire(nowNs);
        }
    }

    /** Counts a call in; returns true when it is the only one. */
    boolean asyncStarts() {
        asyncInFlight = asyncInFlight + 1;
        return asyncInFlight == 1;
    }

    void asyncEnds() {
        asyncInFlight = asyncInFlight - 1;
    }

    /**
     * After an asynchronous call was sent; {@code first} when none was in flight, so that the event thread may sleep.
     */
    void callEventThread(boolean first) {
        if (first) {
            VarHandle.fullFence(); // either it sees the count, or its sleep is seen here
        }
        client.events().call();
    }

    // ---- the end

    int asyncCalls() {
        return asyncInFlight;
    }

    /** Ends the session from outside: takes what arrived, then fails what is left. */
    void end() {
        connection.qp().error();
        lock.lock(SessionLock.NO_LIMIT_NS);
        try {
            while (pollOnce(null)) {
                // what the server answered before it went is still an answer
            }
            fail();
        } finally {
            unlock();
        }
    }

    /** Ends the session under the lock: every call in flight fails, once. */
    void fail() {
        if (failure != null) {
            return;
        }
        failure = new RpcException(Status.UNAVAILABLE, "connection to " + address + " is lost: "
                + (link.failure() == null ? "peer is gone" : link.failure()) + client.trouble());
        for (ClientSlot slot : slots.all()) {
            RpcFuture<?> future = slot.future;
            if (slot.leaveSent(ClientSlot.ARRIVING)) { // DONE when the failure is in place, not before
                slot.endWith(lost());
                if (future != null) {
                    finishFuture(slot);
                }
            }
        }
        client.lost(this);
    }

    private void breakOff(String why) {
        client.log().warn("{}: protocol error, {}", address, why);
        connection.qp().error();
    }

    boolean isUsable() {
        return failure == null && !draining;
    }

    boolean isDrained() {
        return slots.allFree(failure != null);
    }

    void checkUsable() {
        if (failure != null) {
            throw lost();
        }
    }

    /** Returns a new exception each time, so that each has its caller's stack. */
    RpcException lost() {
        return new RpcException(Status.UNAVAILABLE, failure == null
                ? "connection to " + address + " is lost"
                : failure.getMessage());
    }

    /** Finds memory for more arguments than fit where they are. */
    Body grow(WireWriter writer, int needed, Body old, MethodDescriptor method) {
        return bodies.grow(writer, needed, old, maxBodyBytes, "arguments are", method);
    }
}
