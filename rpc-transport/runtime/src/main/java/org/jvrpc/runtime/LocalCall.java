package org.jvrpc.runtime;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** A call that a server makes of its own service, to have the bytes of the answer. One thread. */
final class LocalCall extends ServerCall implements WireWriter.Spill {

    private static final int FIRST_BYTES = 512;

    private final MethodDescriptor method;
    private final ObjectCodec objects;
    private final WireReader reader = new WireReader();
    private final WireWriter writer = new WireWriter();
    private final ByteBuffer memory = ByteBuffer.allocateDirect(FIRST_BYTES);
    private int thrown;

    LocalCall(MethodDescriptor method, ObjectCodec objects) {
        this.method = method;
        this.objects = objects;
    }

    void begin(WireWriter written) {
        thrown = 0;
        reader.reset(written.buffer(), written.start(), written.length(), objects);
        writer.reset(memory, 0, FIRST_BYTES, this, objects);
    }

    WireWriter writer() {
        return writer;
    }

    int thrownNumber() {
        return thrown;
    }

    @Override
    public void grow(WireWriter full, int needed) {
        growOnHeap(full, needed);
    }

    /** Moves what was written to twice the memory, or as much as is needed. */
    static void growOnHeap(WireWriter full, int needed) {
        long wanted = Math.max(2L * full.length(), (long) full.length() + needed);
        if (wanted > Settings.MAX_BODY_BYTES) {
            throw new RpcException(Status.RESOURCE_EXHAUSTED, "longer than the limit: bytes=" + wanted + " limit="
                    + Settings.MAX_BODY_BYTES);
        }
        full.moveTo(ByteBuffer.allocate((int) wanted), 0, (int) wanted);
    }

    @Override
    public WireReader arguments() {
        return reader;
    }

    @Override
    public WireWriter result() {
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
        throw new RpcException(Status.INTERNAL, method.fullName() + " is asynchronous: no answer can be published");
    }

    @Override
    public MethodDescriptor method() {
        return method;
    }

    @Override
    public Metadata metadata() {
        return new Metadata();
    }

    @Override
    public long remainingNs() {
        return Long.MAX_VALUE;
    }

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public long sessionId() {
        return 0;
    }
}
