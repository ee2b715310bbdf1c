package org.jvrpc.runtime.stream;

import java.util.NoSuchElementException;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stub.StreamCodec;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.runtime.stream.piece.Failure;
import org.jvrpc.runtime.thread.Idler;

/** Reads what comes of a stream by a thread that waits for it, and polls meanwhile. */
class InflowReader<T> extends Blocker implements StreamReader<T>, Stream.Sink {

    private final Stream stream;
    private final StreamCodec<T> codec;
    private final ObjectCodec objects;
    private final WireReader reader = new WireReader();
    private final Idler idler;
    final Inflow in;

    InflowReader(Stream stream, StreamCodec<T> codec, ObjectCodec objects) {
        this.stream = stream;
        this.codec = codec;
        this.objects = objects;
        this.in = stream.inflow();
        this.idler = stream.session().newIdler();
        reader.keepLongViews();
    }

    /** Makes one of the kind that a codec has. */
    @SuppressWarnings("unchecked") // the codec is of that kind
    static <T> InflowReader<T> of(Stream stream, StreamCodec<T> codec, ObjectCodec objects) {
        InflowReader<?> reader = codec == StreamCodec.LONG ? new OfLong(stream)
                : codec == StreamCodec.INT ? new OfInt(stream)
                : codec == StreamCodec.DOUBLE ? new OfDouble(stream) : new InflowReader<>(stream, codec, objects);
        return (InflowReader<T>) reader;
    }

    @Override
    public final void filled() {
        wake();
    }

    @Override
    final boolean isReady() {
        return in.isFilled();
    }

    @Override
    final void idle() {
        grant(true);
    }

    private void grant(boolean all) {
        int bytes = in.takeGrant(all);
        if (bytes > 0) {
            stream.grant(bytes);
        }
    }

    @Override
    public final boolean hasNext() {
        return in.isAtHand() || awaitNext();
    }

    private boolean awaitNext() {
        grant(false);
        try {
            stream.session().checkMayWait(); // whether or not there is something: else it would work now and then
            while (!in.advance()) {
                if (in.isAtEnd()) {
                    break;
                }
                stream.session().await(this, idler, stream.endNs());
            }
        } catch (RpcException e) {
            stream.fail(e);
            throw e;
        }
        return in.isAtHand() || end(); // which may be a failure of the peer's: the handler says what comes of that
    }

    private boolean end() {
        in.release();
        Throwable failure = in.failure();
        if (failure == null) {
            return false;
        }
        throw failure instanceof RpcException e ? Failure.again(e)
                : new RpcException(Status.UNKNOWN, failure.toString(), failure);
    }

    /** Waits for the next element where it is not at hand. */
    final void require() {
        if (!in.isAtHand() && !awaitNext()) {
            throw new NoSuchElementException("the stream has ended");
        }
    }

    @Override
    public T next() {
        require();
        int length = in.length();
        reader.reset(in.front(), in.takeAny(length), length, objects);
        try {
            return codec.read(reader);
        } catch (RpcException e) {
            stream.fail(e);
            throw e;
        }
    }

    @Override
    public final void close() {
        stream.stopReceiving("reader is closed");
        wake();
    }

    /** Of longs. */
    private static final class OfLong extends InflowReader<Long> implements StreamReader.OfLong {

        OfLong(Stream stream) {
            super(stream, StreamCodec.LONG, null);
        }

        @Override
        public long nextLong() {
            if (!in.isAtHand()) {
                require();
            }
            return in.front().getLong(in.take());
        }

        @Override
        public Long next() {
            return nextLong();
        }
    }

    /** Of ints. */
    private static final class OfInt extends InflowReader<Integer> implements StreamReader.OfInt {

        OfInt(Stream stream) {
            super(stream, StreamCodec.INT, null);
        }

        @Override
        public int nextInt() {
            if (!in.isAtHand()) {
                require();
            }
            return in.front().getInt(in.take());
        }

        @Override
        public Integer next() {
            return nextInt();
        }
    }

    /** Of doubles. */
    private static final class OfDouble extends InflowReader<Double> implements StreamReader.OfDouble {

        OfDouble(Stream stream) {
            super(stream, StreamCodec.DOUBLE, null);
        }

        @Override
        public double nextDouble() {
            if (!in.isAtHand()) {
                require();
            }
            return in.front().getDouble(in.take());
        }

        @Override
        public Double next() {
            return nextDouble();
        }
    }
}
