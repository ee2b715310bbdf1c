package org.jvrpc.runtime;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/**
 * A call that runs on the executor, with memory of its own; its answer is handed to the poller, which copies it to the
 * slot and sends it. One executor thread, then the poller.
 */
final class HeavyCall extends ServerCall implements WireWriter.Spill, Runnable {

    private static final int FIRST_BYTES = 512;

    private final ServerSession session;
    private final ServerSlot slot;
    private final int callId;
    private final ServiceTable.Method method;
    private final Extension extension;
    private final long arrivedNs;
    private final WireReader reader = new WireReader();
    private final WireWriter writer = new WireWriter();
    private volatile boolean cancelled;
    private Body body;
    private int thrown;
    private Status status = Status.OK;
    /** True once the answer was left to a stage, for good: the stage may complete before this is looked at. */
    private boolean later;
    private boolean resultBegun;

    /** @param slot null for a one-way call */
    HeavyCall(
            ServerSession session,
            ServerSlot slot,
            int callId,
            ServiceTable.Method method,
            Extension extension,
            ByteBuffer arguments,
            int offset,
            int length) {
        this.session = session;
        this.slot = slot;
        this.callId = callId;
        this.method = method;
        this.extension = extension.own();
        this.arrivedNs = System.nanoTime();
        reader.reset(arguments, offset, length, method.objects());
        writer.reset(ByteBuffer.allocateDirect(FIRST_BYTES), 0, FIRST_BYTES, this, method.objects());
    }

    @Override
    public void run() {
        try {
            if (remainingNs() <= 0) {
                fail(new RpcException(Status.DEADLINE_EXCEEDED, "deadline passed before the handler ran: "
                        + method.descriptor().fullName()));
            } else if (isCancelled()) {
                fail(new RpcException(Status.CANCELLED, "caller gave up before the handler ran"));
            } else {
                session.server().dispatch(method, this);
            }
        } catch (Throwable t) {
            if (!later) {
                fail(t);
            }
        }
        if (!later) {
            session.heavyDone(this);
        }
    }

    private void fail(Throwable t) {
        RpcException e = Failures.toRpc(t, method.descriptor());
        Status blamed = e.status() == Status.INVALID_ARGUMENT && resultBegun ? Status.INTERNAL : e.status();
        thrown = 0;
        if (body != null) {
            session.bodies().give(body);
            body = null;
        }
        writer.reset(ByteBuffer.allocateDirect(FIRST_BYTES), 0, FIRST_BYTES, this, null);
        String text = String.valueOf(e.getMessage());
        int room = (session.slotBytes() - 8) / 2; // as a light call's, so that there is always memory for it
        writer.writeString(text.length() <= room ? text : text.substring(0, room));
        status = blamed;
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

    int thrownNumber() {
        return thrown;
    }

    WireWriter writer() {
        return writer;
    }

    /** Takes the rendezvous memory of the answer out, or returns null when there is none. */
    Body takeBody() {
        Body taken = body;
        body = null;
        return taken;
    }

    void cancel() {
        cancelled = true;
    }

    @Override
    public void grow(WireWriter full, int needed) {
        long wanted = (long) full.length() + needed;
        if (wanted <= session.slotBytes()) {
            int bytes = (int) Math.min(Math.max(wanted, 2L * full.length()), session.slotBytes());
            full.moveTo(ByteBuffer.allocateDirect(bytes), 0, bytes);
            return;
        }
        body = session.grow(full, needed, body, method);
    }

    @Override
    public WireReader arguments() {
        return reader;
    }

    @Override
    public WireWriter result() {
        resultBegun = true;
        return writer;
    }

    @Override
    public WireWriter exception(int number) {
        thrown = number;
        writer.rewind();
        return writer;
    }

    @Override
    public <R> void completeLater(CompletionStage<R> stage, ResultWriter<R> resultWriter) {
        if (stage == null) {
            throw new RpcException(Status.INTERNAL, "handler of " + method.descriptor().fullName()
                    + " returned null for a future");
        }
        later = true;
        stage.whenComplete((result, failure) -> {
            try {
                resultWriter.write(this, result, failure);
            } catch (Throwable t) {
                fail(t);
            }
            session.heavyDone(this);
        });
    }

    @Override
    public MethodDescriptor method() {
        return method.descriptor();
    }

    @Override
    public Metadata metadata() {
        return extension.metadata();
    }

    @Override
    public long remainingNs() {
        return extension.deadlineNs() == 0
                ? Long.MAX_VALUE
                : extension.deadlineNs() - (System.nanoTime() - arrivedNs);
    }

    @Override
    public boolean isCancelled() {
        return cancelled || !session.isConnected();
    }

    @Override
    public long sessionId() {
        return session.id();
    }

    @Override
    public InetAddress clientHost() {
        return session.connection().peerHost();
    }
}
