package org.jvrpc.runtime.stream.server;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcContext;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.StreamCodec;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.service.CallEnd;
import org.jvrpc.runtime.service.Extension;
import org.jvrpc.runtime.service.Failures;
import org.jvrpc.runtime.service.HandledCall;
import org.jvrpc.runtime.service.ServiceTable;
import org.jvrpc.runtime.stream.piece.Beside;
import org.jvrpc.runtime.stream.piece.Failure;

/** A call with streams as its handler sees it. The thread that runs the handler; then that which completes a stage. */
final class HandledStream extends HandledCall implements Runnable {

    private static final int FIRST_BYTES = 1 << 9;
    private static final int MOST_BYTES = 1 << 20;

    private final ServerStream stream;
    private volatile Thread heavy;
    private volatile boolean left;
    private final AtomicBoolean claimed = new AtomicBoolean();
    private volatile ResultWriter<Void> declared;
    /** Those who are told how the stream that is the answer ended, or null. */
    private volatile CallEnd end;
    private ByteBuffer memory;

    private HandledStream(ServerStream stream, WireReader reader) {
        super(stream.host(), stream.host().clock(), reader);
        this.stream = stream;
    }

    /** Reads what a client opens a call with. @throws RpcException where that is none */
    static HandledStream read(ServerStream stream, ByteBuffer bytes) {
        WireReader in = new WireReader();
        in.reset(bytes, 0, bytes.limit(), null);
        int service = in.readShort() & 0xffff;
        int index = in.readShort() & 0xffff;
        ServiceTable.Method method = stream.host().method(service, index);
        Extension extension = Extension.read(in);
        int at = bytes.limit() - in.remaining();
        HandledStream call = new HandledStream(stream, in);
        call.target(method);
        call.extension(extension, extension.deadlineNs() == 0 ? 0 : stream.host().clock().nanoTime());
        in.reset(bytes, at, bytes.limit() - at, method.objects());
        return call;
    }

    /** Returns true on the thread that runs a heavy handler. */
    boolean isHeavyThread() {
        return heavy == Thread.currentThread();
    }

    /** Returns true, once, to who may run the handler, or say that it never runs. */
    boolean claim() {
        return claimed.compareAndSet(false, true);
    }

    @Override
    public void run() {
        if (!claim()) {
            return; // it was given up before
        }
        if (remainingNs() <= 0) {
            stream.refuse(RpcException.notRun(Status.DEADLINE_EXCEEDED, "deadline passed before the handler ran: "
                    + method().fullName()));
            return;
        }
        heavy = method().heavy() ? Thread.currentThread() : null;
        try {
            begin(0);
            stream.host().streams().host().dispatch(RpcContext.of(this), target(), this);
            if (!left) {
                answer();
            }
        } catch (Throwable t) {
            fail(t);
        } finally {
            heavy = null;
            if (method().heavy()) {
                Thread.interrupted(); // what a handler leaves behind is not meant for the executor's thread
            }
        }
    }

    private void begin(int thrown) {
        memory = ByteBuffer.allocateDirect(FIRST_BYTES);
        writer().reset(memory, 0, memory.capacity(), this, target().objects());
        if (thrown != 0) {
            Failure.begin(writer(), Status.UNKNOWN, thrown);
        }
    }

    @Override
    public void grow(WireWriter full, int needed) {
        long wanted = (long) full.length() + needed;
        if (wanted > MOST_BYTES) {
            throw new RpcException(Status.RESOURCE_EXHAUSTED, "answer beside a stream is longer than the limit: bytes="
                    + wanted + " limit=" + MOST_BYTES);
        }
        memory = ByteBuffer.allocateDirect((int) Math.max(wanted, Math.min(MOST_BYTES, 2L * full.length())));
        full.moveTo(memory, 0, memory.capacity());
    }

    /** The stream that is the answer has ended; what ended it first is told. Any thread. */
    void tellEnd(Status status, String message) {
        CallEnd heard = end;
        if (heard != null) {
            heard.tell(status, message);
        }
    }

    private void answer() {
        tellEnd(Status.OK, null);
        int length = writer().length();
        ByteBuffer beside = beside();
        if (thrownNumber() == 0) {
            stream.sendResult(memory, length, beside);
            return;
        }
        ByteBuffer bytes = ByteBuffer.allocateDirect(Failure.HEAD_BYTES + length);
        WireWriter out = new WireWriter();
        out.reset(bytes, 0, bytes.capacity(), null, null);
        Failure.begin(out, Status.UNKNOWN, thrownNumber());
        out.writeRaw(memory, 0, length);
        stream.sendException(bytes, out.length(), beside);
    }

    /**
     * Returns what travels beside the answer, once; null for nothing.
     *
     * @throws RpcException INTERNAL when that is more than may travel
     */
    ByteBuffer beside() {
        Metadata put = takeResponse();
        try {
            return put == null || !takesTrailers() ? null : Beside.of(put, null);
        } catch (RuntimeException e) { // too much, or changed meanwhile, against the rules
            throw new RpcException(Status.INTERNAL, "response metadata: " + e.getMessage(), e);
        }
    }

    private ByteBuffer besideIfFits() {
        try {
            return beside();
        } catch (RpcException e) { // what the failure says to people arrives all the same
            return null;
        }
    }

    private void fail(Throwable thrown) {
        RpcException e = Failures.toRpc(thrown, method());
        tellEnd(blame(e.status()), e.getMessage());
        stream.sendFailure(blame(e.status()), e, besideIfFits());
    }

    /** The stream that is the answer ended with a failure. */
    void failed(Throwable cause) {
        ResultWriter<Void> writer = declared;
        if (writer == null) {
            fail(cause);
            return;
        }
        try {
            begin(0);
            writer.write(this, null, cause);
            answer();
        } catch (Throwable t) {
            fail(t);
        }
    }

    @Override
    public <T> Flow.Publisher<T> elements(StreamCodec<T> codec) {
        return stream.elements(codec);
    }

    @Override
    public <T> void publish(Flow.Publisher<T> publisher, StreamCodec<T> codec, ResultWriter<Void> failure) {
        if (publisher == null) {
            throw new RpcException(Status.INTERNAL, "handler of " + method().fullName()
                    + " returned null for a stream");
        }
        left = true;
        declared = failure;
        end = takeEnd();
        if (stream.isOver()) {
            tellEnd(Status.CANCELLED, "caller gave up");
        }
        stream.publish(publisher, codec);
    }

    @Override
    protected <R> void leave(CompletionStage<R> stage, ResultWriter<R> resultWriter) {
        left = true;
        stage.whenComplete((result, failure) -> {
            try {
                resultWriter.write(this, result, failure);
                answer();
            } catch (Throwable t) {
                fail(t);
            }
        });
    }
}
