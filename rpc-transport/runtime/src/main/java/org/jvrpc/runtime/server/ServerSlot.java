package org.jvrpc.runtime.server;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import org.jvrpc.api.ErrorDetails;
import org.jvrpc.api.RpcContext;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.service.CallAbove;
import org.jvrpc.runtime.service.CallEnd;
import org.jvrpc.runtime.service.Extension;
import org.jvrpc.runtime.service.Failures;
import org.jvrpc.runtime.service.HandledCall;
import org.jvrpc.runtime.service.ServiceTable;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.runtime.session.FarBody;

/**
 * The server's side of a slot: a light call from its request to its answer, or the memory of the answer of a heavy one.
 * Poller thread, except while a stage that it was left to is not complete.
 */
class ServerSlot extends HandledCall {

    private final ServerSession session;
    private final int index;
    private final ByteBuffer memory;
    private int callId;
    private boolean busy;
    private boolean async;
    private Body request;
    /** Where the arguments are read from when they are not here, until they are read. */
    private FarBody far;
    private Body response;
    /** The call as those know it that its handler makes, or one before; null where the server has no contexts. */
    private CallAbove above;
    /** For how many calls this one is timed; 0 where it is not, -1 where it is not counted yet. */
    private int weight;
    private long begunNs;
    /** Its caller does not wait for the answer any more. */
    private boolean givenUp;

    /** @param reader the session's: arguments are read before their handler runs, and that before the next message */
    ServerSlot(ServerSession session, int index, ByteBuffer memory, WireReader reader) {
        super(session, session.server().clock(), reader);
        this.session = session;
        this.index = index;
        this.memory = memory;
    }

    ServerSession session() {
        return session;
    }

    int index() {
        return index;
    }

    int callId() {
        return callId;
    }

    /** Returns where the answer is written. */
    ByteBuffer memory() {
        return memory;
    }

    boolean isBusy() {
        return busy;
    }

    void begin(int id) {
        callId = id;
        busy = true;
        async = false;
        weight = -1;
        reset();
        releaseResponse();
    }

    /** The call is counted. @param calls for how many it is timed, or 0 */
    final void timed(int calls, long nowNs) {
        weight = calls;
        begunNs = nowNs;
    }

    final int weight() {
        return weight;
    }

    final long begunNs() {
        return begunNs;
    }

    /** Sets what the call is and where its arguments lie. */
    void arguments(ServiceTable.Method target, ByteBuffer in, int offset, int body, int extensionBytes) {
        target(target);
        if (extensionBytes > 0) {
            reader().reset(in, offset + body, extensionBytes, null);
            Extension came = Extension.read(reader());
            extension(came, came.deadlineNs() == 0 ? 0 : session.server().clock().nanoTime());
        }
        if (far == null) {
            reader().reset(in, offset, body, target == null ? null : target.objects());
        } else {
            far.read(reader(), target == null ? null : target.objects());
            far = null;
        }
        writer().reset(memory, 0, memory.capacity(), this, target == null ? null : target.objects());
    }

    /** Sets what the call is, which was let in after its extension was read. */
    final void retarget(ServiceTable.Method target, ByteBuffer in, int offset, int body) {
        target(target);
        reader().reset(in, offset, body, target.objects());
        writer().reset(memory, 0, memory.capacity(), this, target.objects());
    }

    /** The arguments of the call that begins lie there, not where its message does. */
    void arguments(FarBody body) {
        far = body;
    }

    /** Keeps the memory of a long request until the call is over. */
    void request(Body body) {
        request = body;
    }

    /** Takes out the memory of a long request, which a handler may still read; null where there is none. */
    Body takeRequest() {
        Body taken = request;
        request = null;
        return taken;
    }

    /** The caller gives up; false when its call has ended, or it did before. */
    boolean cancel(int id) {
        if (!busy || id != callId || givenUp) {
            return false;
        }
        givenUp = true;
        cancel();
        if (above != null) {
            above.cancel(id);
        }
        return true;
    }

    /** Returns whether the caller of the call that ends has given up. */
    boolean takeGivenUp() {
        boolean was = givenUp;
        if (was) {
            givenUp = false;
        }
        return was;
    }

    /** Makes the context in which the handler of a light call runs. */
    final RpcContext context() {
        above = above(callId, index < 0);
        return RpcContext.of(above);
    }

    /** True when the answer was left to a stage. */
    boolean isAsync() {
        return async;
    }

    Body response() {
        return response;
    }

    @Override
    protected <R> void leave(CompletionStage<R> stage, ResultWriter<R> resultWriter) {
        async = true;
        int id = callId;
        stage.whenComplete((result, failure) ->
                session.finish(() -> completed(id, result, failure, resultWriter)));
    }

    /** The stage that a call was left to is complete. */
    private <R> void completed(int id, R result, Throwable failure, ResultWriter<R> resultWriter) {
        if (!busy || callId != id) { // the session has ended, or the stage called back before
            CallEnd.unwritten(resultWriter);
            return;
        }
        try {
            resultWriter.write(this, result, failure);
            session.answer(this, Status.OK);
        } catch (Throwable t) {
            session.answer(this, fail(t, true));
        }
    }

    @Override
    public void grow(WireWriter full, int needed) {
        response = session.grow(full, needed, response, target());
    }

    /**
     * Replaces whatever was written by the text of a failure, which always fits; returns its status.
     *
     * @param ran false when it is known that no handler ran
     */
    Status fail(Throwable thrown, boolean ran) {
        RpcException e = Failures.toRpc(thrown, descriptor());
        releaseResponse();
        writeFailure(memory, 0, memory.capacity(), memory.capacity(), e.getMessage());
        try {
            writeTrailers(e.details());
        } catch (RpcException | OutOfMemoryError tooMuch) { // what it says to people arrives all the same
            releaseResponse();
            writeFailure(memory, 0, memory.capacity(), memory.capacity(), e.getMessage());
        }
        if (!ran) {
            markNotRun();
        }
        return blame(e.status());
    }

    /**
     * Writes what the handler has travel beside the answer; returns the status, of a failure where that is too much.
     */
    Status writeTrailers(Status status) {
        try {
            writeTrailers((ErrorDetails) null);
            return status;
        } catch (RpcException | OutOfMemoryError e) {
            return fail(new RpcException(Status.INTERNAL, "response metadata: " + e.getMessage(), e), true);
        }
    }

    /** The answer is sent. */
    void end() {
        busy = false;
        if (request != null) {
            session.bodies().give(request);
            request = null;
        }
    }

    /** The client has read the answer. */
    void releaseResponse() {
        if (response != null) {
            session.bodies().give(response);
            response = null;
        }
    }

    void adoptResponse(Body body) {
        response = body;
    }
}
