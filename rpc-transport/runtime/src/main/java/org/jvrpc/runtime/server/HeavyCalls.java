package org.jvrpc.runtime.server;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.server.queue.HeavyQueue;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.verbs.rare.Rare;

/**
 * The heavy calls of one session, from its requests to the server's queue, and their answers back. Poller thread,
 * except for what is said to be for any.
 */
final class HeavyCalls {

    /** Longer arguments are not copied: they have memory of their own. */
    static final int LARGE = 1 << 20;

    private final ServerSession session;
    private final HeavyQueue queue;
    private final HeavyQueue.Line line = new HeavyQueue.Line();
    /** By slot, null where none is under way. */
    private final HeavyCall[] calls;
    private final Runnable creditCameBack;
    /** One-way calls that wait, and how many there may be: not every link has no room for more. */
    private final AtomicInteger oneWays = new AtomicInteger();
    private final int mostOneWays;

    /** @param credits that the client has at first; it has those of all slots at most */
    HeavyCalls(ServerSession session, HeavyQueue queue, int slots, int credits) {
        this.session = session;
        this.queue = queue;
        this.calls = new HeavyCall[slots];
        this.mostOneWays = Math.max(credits, Protocol.CALLS.oneWayCredits(slots));
        this.creditCameBack = session::oweCredit;
    }

    /** Queues a call. @throws RpcException when it is not queued */
    void execute(ServerSlot slot, ByteBuffer in, int offset, int length) {
        HeavyCall call = make(slot, slot, in, offset, length);
        calls[slot.index()] = call;
        try {
            queue.add(line, call);
        } catch (RpcException e) {
            calls[slot.index()] = null;
            call.release();
            throw e;
        }
    }

    /** Returns false when the client had no credit for one more one-way call. */
    boolean mayQueueOneWay() {
        return oneWays.get() < mostOneWays;
    }

    /** Queues a one-way call, whose credit comes back when it leaves the queue. @throws RpcException as above */
    void executeOneWay(ServerSlot from, ByteBuffer in, int offset, int length) {
        HeavyCall call = make(from, null, in, offset, length);
        oneWays.incrementAndGet();
        try {
            queue.add(line, call);
        } catch (RpcException e) {
            oneWays.decrementAndGet();
            call.release();
            throw e;
        }
    }

    private static HeavyCall make(ServerSlot from, ServerSlot slot, ByteBuffer in, int offset, int length) {
        try {
            return new HeavyCall(from, slot, in, offset, length, length <= LARGE);
        } catch (OutOfMemoryError e) {
            throw new RpcException(Status.RESOURCE_EXHAUSTED, "no memory to queue a heavy call: bytes=" + length + ": "
                    + e.getMessage(), e);
        }
    }

    /** The caller of a slot's call has given up. */
    void cancel(int slot, int callId) {
        HeavyCall call = calls[slot];
        if (call != null && call.callId() == callId) {
            call.cancel();
            giveUp(call);
        }
    }

    /** Nobody waits for answers any more. Whoever ends the session, when nobody polls it. */
    void giveUp() {
        for (HeavyCall call : calls) {
            if (call != null) {
                giveUp(call);
            }
        }
    }

    private void giveUp(HeavyCall call) {
        if (queue.withdraw(line, call)) {
            Rare.reached("a heavy call leaves its line");
            call.refuse(new RpcException(Status.CANCELLED, "caller gave up before the handler ran"));
        }
    }

    /**
     * Has a slot's call answered by somebody else: its handler goes on for nobody, with its arguments. False where none
     * is under way.
     */
    boolean leave(ServerSlot slot) {
        HeavyCall call = calls[slot.index()];
        if (call != null) {
            calls[slot.index()] = null;
            call.leave(slot.takeRequest());
            call.cancel();
            giveUp(call);
        }
        return call != null;
    }

    /** Returns true while the handler of a slot's call may read its arguments. */
    boolean isUnderWay(int slot) {
        return calls[slot] != null;
    }

    /** A call is not queued any more. The thread that runs it. */
    void dequeued(HeavyCall call) {
        if (call.slot() == null) {
            oneWays.decrementAndGet(); // before its credit is given back
            session.finish(creditCameBack);
        }
    }

    /** A call is over. Any thread. */
    void done(HeavyCall call) {
        if (call.slot() == null) {
            call.release();
            queue.oneWayOver();
        } else {
            session.finish(() -> answer(call));
        }
    }

    private void answer(HeavyCall call) {
        ServerSlot slot = call.slot();
        if (!call.isLeft()) {
            calls[slot.index()] = null;
            if (session.isBuried()) {
                slot.end();
            } else {
                send(call, slot);
            }
        }
        call.release();
    }

    private void send(HeavyCall call, ServerSlot slot) {
        Body body = call.takeBody();
        WireWriter from = call.writer();
        int length = from.length();
        if (body != null) {
            slot.adoptResponse(body);
        } else {
            session.link().body(slot.index()).put(0, from.buffer(), from.start(), length);
        }
        session.send(slot, call.status(), call.marks(), call.bodyLength(), body);
    }
}
