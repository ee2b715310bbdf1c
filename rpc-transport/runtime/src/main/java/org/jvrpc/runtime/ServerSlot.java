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
 * The server's side of a slot: a light call from its request to its answer, or the memory of the answer of a heavy one.
 * Poller thread, except while a stage that it was left to is not complete.
 */
final class ServerSlot extends ServerCall implements WireWriter.Spill {

    /** Writes the answer of a stage. */
    @FunctionalInterface
    interface LaterWriter {
        void write() throws Throwable;
    }

    private final ServerSession session;
    private final int index;
    private final ByteBuffer memory;
    private final WireWriter writer = new WireWriter();
    private final WireReader reader;
    private ServiceTable.Method method;
    private int callId;
    private boolean busy;
    private volatile boolean cancelled;
    private boolean later;
    private boolean resultBegun;
    private int thrown;
    private Body request;
    private Body response;
    private Extension extension = Extension.NONE;
    private long arrivedNs;

    /** @param reader the session's: arguments are read before their handler runs, and that before the next message */
    ServerSlot(ServerSession session, int index, ByteBuffer memory, WireReader reader) {
        this.session = session;
        this.index = index;
        this.memory = memory;
        this.reader = reader;
    }

    int index() {
        return index;
    }

    int callId() {
        return callId;
    }

    boolean isBusy() {
        return busy;
    }

    void begin(int id) {
        callId = id;
        busy = true;
        if (cancelled) {
            cancelled = false; // a volatile store costs a fence: not in every call
        }
        later = false;
        resultBegun = false;
        thrown = 0;
        if (extension != Extension.NONE) {
            extension = Extension.NONE;
        }
        releaseResponse();
    }

    /** Sets what the call is and where its arguments lie. */
    void arguments(ServiceTable.Method target, ByteBuffer in, int offset, int body, int extensionBytes) {
        if (method != target) {
            method = target; // a store of a reference costs the collector's barrier
        }
        if (extensionBytes > 0) {
            reader.reset(in, offset + body, extensionBytes, null);
            extension = Extension.read(reader);
            arrivedNs = extension.deadlineNs() > 0 ? System.nanoTime() : 0;
        }
        reader.reset(in, offset, body, target == null ? null : target.objects());
        writer.reset(memory, 0, memory.capacity(), this, target == null ? null : target.objects());
    }

    /** Keeps the memory of a long request until the call is over. */
    void request(Body body) {
        request = body;
    }

    ServiceTable.Method target() {
        return method;
    }

    Extension extension() {
        return extension;
    }

    void cancel(int id) {
        if (busy && id == callId) {
            cancelled = true;
        }
    }

    /** True when the answer was left to a stage. */
    boolean isLater() {
        return later;
    }

    int thrownNumber() {
        return thrown;
    }

    Body response() {
        return response;
    }

    WireWriter writer() {
        return writer;
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
        int id = callId;
        stage.whenComplete((result, failure) ->
                session.later(this, id, () -> resultWriter.write(this, result, failure)));
    }

    @Override
    public void grow(WireWriter full, int needed) {
        response = session.grow(full, needed, response, method);
    }

    /** Replaces whatever was written by the text of a failure, which always fits. */
    void writeFailure(String message) {
        thrown = 0;
        releaseResponse();
        writer.reset(memory, 0, memory.capacity(), null, null);
        String text = message == null ? "" : message;
        int room = (memory.capacity() - 8) / 2;
        writer.writeString(text.length() <= room ? text : text.substring(0, room));
    }

    /** Says whose fault an INVALID_ARGUMENT is: once the result was begun it is the handler's. */
    Status blame(Status status) {
        return status == Status.INVALID_ARGUMENT && resultBegun ? Status.INTERNAL : status;
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

    @Override
    public MethodDescriptor method() {
        return method.descriptor();
    }

    @Override
    public Metadata metadata() {
        extension = extension.own();
        return extension.metadata();
    }

    @Override
    public long remainingNs() {
        return arrivedNs == 0 || extension.deadlineNs() == 0
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
