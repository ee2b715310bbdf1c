package org.jvrpc.runtime.graph;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Output;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/**
 * Object graphs of one service by Kryo, with registration required. On the wire a byte array that Kryo wrote. Kryo's
 * instances are for one thread, so each use takes one from a pool. Any thread.
 */
public final class KryoCodec implements ObjectCodec {

    private static final int FIRST_BYTES = 4096;
    /** A larger buffer is not kept for the next graph. */
    private static final int KEPT_BYTES = 1 << 16;

    private final List<Class<?>> classes;
    private final Queue<Instance> pool = new ConcurrentLinkedQueue<>();

    public KryoCodec(List<Class<?>> classes) {
        this.classes = classes;
    }

    /** A Kryo with its buffers. */
    private static final class Instance {
        private final GraphKryo kryo;
        private final Output output = new Output(FIRST_BYTES, -1);
        private final GraphInput input = new GraphInput();

        Instance(List<Class<?>> classes) {
            kryo = new GraphKryo(classes);
        }
    }

    private Instance take() {
        Instance instance = pool.poll();
        return instance == null ? new Instance(classes) : instance;
    }

    /** Keeps an instance for the next graph, without what this one needed. */
    private void give(Instance instance) {
        instance.kryo.reset();
        instance.input.letGo();
        if (instance.output.getBuffer().length > KEPT_BYTES) {
            instance.output.setBuffer(new byte[FIRST_BYTES], -1);
        }
        pool.add(instance);
    }

    @Override
    public void write(WireWriter out, Object graph) {
        Instance instance = take();
        try {
            instance.output.reset();
            instance.kryo.writeClassAndObject(instance.output, graph);
            out.writeBytes(instance.output.getBuffer(), 0, instance.output.position());
        } catch (KryoException | IllegalArgumentException | StackOverflowError e) {
            throw new RpcException(Status.INVALID_ARGUMENT, "object graph cannot be written: " + explain(e), e);
        } finally {
            give(instance);
        }
    }

    /**
     * {@inheritDoc} Bytes that claim more elements than they have bytes, {@link GraphInput#FREE_ELEMENTS} aside, and
     * graphs deeper than {@link GraphKryo#MAX_DEPTH}, are refused before anything is allocated for them.
     */
    @Override
    public Object read(WireReader in) {
        Instance instance = take();
        try {
            instance.input.begin(in.readBytes());
            return instance.kryo.readClassAndObject(instance.input);
        } catch (RpcException e) {
            throw e;
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            // Kryo meets corrupt bytes with whatever comes: index errors, class casts, negative sizes.
            throw new RpcException(Status.INTERNAL, "object graph cannot be read: " + explain(e), e);
        } finally {
            give(instance);
        }
    }

    private static String explain(Throwable e) {
        String text = String.valueOf(e.getMessage());
        int end = text.indexOf('\n');
        return e instanceof StackOverflowError ? "it is nested too deeply" : end < 0 ? text : text.substring(0, end);
    }
}
