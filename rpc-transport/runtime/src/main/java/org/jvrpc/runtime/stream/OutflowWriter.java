package org.jvrpc.runtime.stream;

import java.util.Objects;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stream.StreamWriter;
import org.jvrpc.api.stub.StreamCodec;
import org.jvrpc.api.stub.StreamSink;
import org.jvrpc.runtime.stream.piece.Failure;
import org.jvrpc.runtime.thread.Idler;

/** Sends what a thread writes, which waits where there is no room, and polls meanwhile. */
class OutflowWriter<T> extends Blocker implements StreamSink<T>, Stream.Source {

    final Stream stream;
    final Outflow out;
    private final StreamCodec<T> codec;
    private Idler idler;
    private volatile boolean ended;

    OutflowWriter(Stream stream, StreamCodec<T> codec) {
        this.stream = stream;
        this.codec = codec;
        this.out = stream.outflow();
    }

    /** Makes one of the kind that a codec has. */
    @SuppressWarnings("unchecked") // the codec is of that kind
    static <T> OutflowWriter<T> of(Stream stream, StreamCodec<T> codec) {
        OutflowWriter<?> writer = codec == StreamCodec.LONG ? new OfLong(stream)
                : codec == StreamCodec.INT ? new OfInt(stream)
                : codec == StreamCodec.DOUBLE ? new OfDouble(stream) : new OutflowWriter<>(stream, codec);
        return (OutflowWriter<T>) writer;
    }

    @Override
    public final void roomy() {
        wake();
    }

    @Override
    final boolean isReady() {
        return out.isRoomy();
    }

    /** Waits for room. */
    final void awaitRoom() {
        if (idler == null) {
            idler = stream.session().newIdler();
        }
        try {
            stream.session().await(this, idler, stream.endNs());
        } catch (RpcException e) {
            stream.fail(e);
            throw e;
        }
    }

    final RpcException over() {
        RpcException why = stream.failure();
        return ended ? new RpcException(Status.FAILED_PRECONDITION, "the stream was ended by its writer")
                : why != null ? Failure.again(why)
                : new RpcException(Status.CANCELLED, "the stream's receiver wants no more");
    }

    @Override
    public void write(T element) {
        Objects.requireNonNull(element, "element");
        do {
            if (!out.isRoomy()) {
                awaitRoom();
            }
        } while (!adds(element));
    }

    private boolean adds(T element) {
        synchronized (stream) {
            if (out.isOver() || ended) {
                throw over();
            }
            if (out.isWorthAWait(codec, element)) {
                return false;
            }
            out.add(codec, element);
            return true;
        }
    }

    @Override
    public final void flush() {
        synchronized (stream) {
            if (out.isOver() || ended) {
                throw over();
            }
            stream.pumpAll();
        }
        stream.session().wakePeer();
    }

    @Override
    public final void complete() {
        if (!ended) {
            ended = true;
            stream.outgoingEnded();
        }
    }

    @Override
    public final void fail(Throwable cause) {
        if (!ended) {
            ended = true;
            stream.outgoingFailed(Objects.requireNonNull(cause, "cause"));
        }
    }

    /** Returns whether it was ended. */
    final boolean isEnded() {
        return ended;
    }

    /** Of longs. */
    private static final class OfLong extends OutflowWriter<Long> implements StreamWriter.OfLong {

        OfLong(Stream stream) {
            super(stream, StreamCodec.LONG);
        }

        @Override
        public void writeLong(long element) {
            if (!out.isRoomy()) {
                awaitRoom();
            }
            synchronized (stream) {
                if (out.isOver() || isEnded()) {
                    throw over();
                }
                int at = out.room(Long.BYTES);
                out.staging().putLong(at, element);
                out.staged(Long.BYTES);
            }
        }

        @Override
        public void write(Long element) {
            writeLong(element);
        }
    }

    /** Of ints. */
    private static final class OfInt extends OutflowWriter<Integer> implements StreamWriter.OfInt {

        OfInt(Stream stream) {
            super(stream, StreamCodec.INT);
        }

        @Override
        public void writeInt(int element) {
            if (!out.isRoomy()) {
                awaitRoom();
            }
            synchronized (stream) {
                if (out.isOver() || isEnded()) {
                    throw over();
                }
                int at = out.room(Integer.BYTES);
                out.staging().putInt(at, element);
                out.staged(Integer.BYTES);
            }
        }

        @Override
        public void write(Integer element) {
            writeInt(element);
        }
    }

    /** Of doubles. */
    private static final class OfDouble extends OutflowWriter<Double> implements StreamWriter.OfDouble {

        OfDouble(Stream stream) {
            super(stream, StreamCodec.DOUBLE);
        }

        @Override
        public void writeDouble(double element) {
            if (!out.isRoomy()) {
                awaitRoom();
            }
            synchronized (stream) {
                if (out.isOver() || isEnded()) {
                    throw over();
                }
                int at = out.room(Double.BYTES);
                out.staging().putDouble(at, element);
                out.staged(Double.BYTES);
            }
        }

        @Override
        public void write(Double element) {
            writeDouble(element);
        }
    }
}
