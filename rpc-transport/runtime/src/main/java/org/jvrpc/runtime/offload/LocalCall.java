package org.jvrpc.runtime.offload;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.service.HandledCall;
import org.jvrpc.runtime.service.ServiceTable;
import org.jvrpc.runtime.session.Settings;
import org.jvrpc.runtime.thread.Clock;

/** A call that a server makes of its own service, to have the bytes of the answer. One thread. */
final class LocalCall extends HandledCall {

    private static final int FIRST_BYTES = 512;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(FIRST_BYTES);

    LocalCall(ServiceTable.Method method) {
        super(null, Clock.SYSTEM, new WireReader());
        target(method);
    }

    void begin(WireWriter written) {
        reset();
        reader().reset(written.buffer(), written.start(), written.length(), target().objects());
        writer().reset(memory, 0, FIRST_BYTES, this, target().objects());
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
    protected <R> void leave(CompletionStage<R> stage, ResultWriter<R> resultWriter) {
        throw new RpcException(Status.INTERNAL, method().fullName() + " is asynchronous: no answer can be published");
    }
}
