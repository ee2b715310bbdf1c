package org.jvrpc.runtime.server;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.api.RpcContext;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.guard.Pass;
import org.jvrpc.runtime.server.queue.HeavyQueue;
import org.jvrpc.runtime.server.queue.ScratchMemory;
import org.jvrpc.runtime.service.CallEnd;
import org.jvrpc.runtime.service.Failures;
import org.jvrpc.runtime.service.HandledCall;
import org.jvrpc.runtime.service.Marks;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.verbs.rare.Rare;

/**
 * A call that runs on the executor, in borrowed memory; its answer is handed to the poller, which copies it to the slot
 * and sends it. Poller, then one executor thread, then the poller.
 */
final class HeavyCall extends HandledCall implements HeavyQueue.Task {

    /** Room for the answer behind the arguments. */
    private static final int FIRST_BYTES = 512;

    private final ServerSession session;
    private final ServerSlot slot;
    private final int callId;
    private final ScratchMemory scratch;
    private final AtomicBoolean ended = new AtomicBoolean();
    /** What was borrowed: the arguments and the first of the answer. */
    private ByteBuffer memory;
    /** What was borrowed for a longer answer, or null. */
    private ByteBuffer longer;
    private Body body;
    private Status status = Status.OK;
    /** True once somebody else has answered it. Poller. */
    private boolean left;
    /** Memory of arguments that are not copied, where the slot is another call's by now; else null. Poller. */
    private Body arguments;
    /** True once the answer was left to a stage, for good: the stage may complete before this is looked at. */
    private boolean async;

    /**
     * @param from the call as it was received
     * @param slot null for a one-way call
     * @param in where the arguments lie
     * @param copied true when they have to be copied, for they stay there until the next poll only
     */
    HeavyCall(ServerSlot from, ServerSlot slot, ByteBuffer in, int offset, int length, boolean copied) {
        super(from.session(), from.session().server().clock(), new WireReader());
        this.session = from.session();
        this.slot = slot;
        this.callId = from.callId();
        this.scratch = session.server().scratch();
        target(from.target());
        extension(from.extension().own(), from.arrivedNs());
        int room = copied ? length : 0;
        memory = scratch.take(room + FIRST_BYTES);
        if (copied) {
            memory.put(0, in, offset, length);
        }
        reader().reset(copied ? memory : in, copied ? 0 : offset, length, target().objects());
        int limit = Math.min(memory.capacity(), room + session.link().slotBytes()); // what is longer has to be a body
        writer().reset(memory, room, limit, this, target().objects());
        pass(from.takePass());
    }

    @Override
    public void run() {
        try {
            if (remainingNs() <= 0) {
                Rare.reached("a heavy call is late");
                refuse(new RpcException(Status.DEADLINE_EXCEEDED, "deadline passed before the handler ran: "
                        + method().fullName()));
                return;
            }
            if (slot != null && isCancelled()) { // nobody waits for a one-way call in any case
                Rare.reached("a heavy call is cancelled before it runs");
                refuse(new RpcException(Status.CANCELLED, "caller gave up before the handler ran"));
                return;
            }
            session.server().dispatch(RpcContext.of(slot == null ? above(callId, true) : this), target(), this);
            if (!async) {
                finish();
            }
        } catch (Throwable t) {
            if (!async) {
                fail(t, true);
            }
        }
        if (!async) {
            end();
        }
    }

    @Override
    public boolean isAnswered() {
        return slot != null;
    }

    @Override
    public void dequeued() {
        session.heavy().dequeued(this);
    }

    /** Ends the call without its handler. The thread that would run it, or one that adds another to the queue. */
    @Override
    public void refuse(Throwable why) {
        fail(why, false);
        end();
    }

    /** Hands the answer over, once, however often a stage of the user's calls back. */
    private void end() {
        if (ended.compareAndSet(false, true)) {
            session.heavy().done(this);
        }
    }

    /** @param ran false when its handler did not */
    private void fail(Throwable t, boolean ran) {
        releaseBody();
        if (slot == null) {
            Failures.ofOneWay(t, method());
            return;
        }
        try {
            RpcException e = Failures.toRpc(t, method());
            status = blame(e.status());
            writeFailure(e.getMessage());
            writeTrailersOf(e);
        } catch (Throwable second) { // there is no memory for the text
            status = Status.RESOURCE_EXHAUSTED;
            writeFailure("");
        }
        if (!ran) {
            markNotRun();
        }
    }

    private void writeTrailersOf(RpcException e) {
        try {
            writeTrailers(e.details());
        } catch (RpcException | OutOfMemoryError tooMuch) { // what it says to people arrives all the same
            releaseBody();
            writeFailure(e.getMessage());
        }
    }

    /** The handler has returned: writes what it has travel beside the answer. */
    private void finish() {
        if ((marks() & Marks.RESPONSE) != 0 && slot != null) {
            try {
                writeTrailers(null);
            } catch (RpcException | OutOfMemoryError e) {
                fail(new RpcException(Status.INTERNAL, "response metadata: " + e.getMessage(), e), true);
            }
        }
    }

    private void writeFailure(String message) {
        int room = Math.min(FIRST_BYTES, memory.capacity()); // the arguments are not needed any more
        writeFailure(memory, 0, room, session.link().slotBytes(), message);
    }

    private void releaseBody() {
        if (body != null) {
            session.bodies().give(body);
            body = null;
        }
    }

    /** Gives back what was borrowed, when neither arguments nor answer are needed any more. */
    void release() {
        Pass pass = takePass();
        if (pass != null) {
            pass.end();
        }
        releaseBody();
        if (arguments != null) {
            session.bodies().give(arguments);
            arguments = null;
        }
        giveBack(memory);
        giveBack(longer);
        memory = null;
        longer = null;
    }

    /** Its slot is another call's from now on. @param request what its arguments lie in, or null */
    void leave(Body request) {
        left = true;
        arguments = request;
    }

    boolean isLeft() {
        return left;
    }

    private void giveBack(ByteBuffer borrowed) {
        if (borrowed != null) {
            scratch.give(borrowed);
        }
    }

    ServerSession session() {
        return session;
    }

    ServerSlot slot() {
        return slot;
    }

    int callId() {
        return callId;
    }

    Status status() {
        return status;
    }

    /** Takes the rendezvous memory of the answer out, or returns null when there is none. */
    Body takeBody() {
        Body taken = body;
        body = null;
        return taken;
    }

    @Override
    public void grow(WireWriter full, int needed) {
        long wanted = (long) full.length() + needed;
        int slotBytes = session.link().slotBytes();
        if (wanted > slotBytes) {
            body = session.grow(full, needed, body, target());
            return;
        }
        ByteBuffer more = scratch.take((int) Math.max(wanted, Math.min(2L * full.length(), slotBytes)));
        full.moveTo(more, 0, Math.min(more.capacity(), slotBytes));
        giveBack(longer);
        longer = more;
    }

    @Override
    protected <R> void leave(CompletionStage<R> stage, ResultWriter<R> resultWriter) {
        async = true;
        try {
            stage.whenComplete((result, failure) -> complete(resultWriter, result, failure));
        } catch (Throwable t) { // of a stage of the user's own kind, which may call back all the same
            if (ended.compareAndSet(false, true)) {
                fail(t, true);
                session.heavy().done(this);
            }
        }
    }

    private <R> void complete(ResultWriter<R> resultWriter, R result, Throwable failure) {
        if (!ended.compareAndSet(false, true)) {
            CallEnd.unwritten(resultWriter);
            return;
        }
        try {
            resultWriter.write(this, result, failure);
            finish();
        } catch (Throwable t) {
            fail(t, true);
        }
        session.heavy().done(this);
    }
}
