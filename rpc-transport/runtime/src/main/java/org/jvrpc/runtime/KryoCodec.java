package org.jvrpc.runtime;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.util.DefaultInstantiatorStrategy;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.objenesis.strategy.StdInstantiatorStrategy;

/**
 * Object graphs of one service by Kryo, with registration required. On the wire a byte array that Kryo wrote. Kryo's
 * instances are for one thread, so each use takes one from a pool. Any thread.
 */
final class KryoCodec implements ObjectCodec {

    private static final int FIRST_BYTES = 4096;

    private final List<Class<?>> classes;
    private final Queue<Instance> pool = new ConcurrentLinkedQueue<>();

    KryoCodec(List<Class<?>> classes) {
        this.classes = classes;
    }

    /** A Kryo with its buffers. */
    private static final class Instance {
        private final Kryo kryo = new Kryo();
        private final Output output = new Output(FIRST_BYTES, -1);
        private final Input input = new Input();

        Instance(List<Class<?>> classes) {
            kryo.setRegistrationRequired(true);
            kryo.setReferences(true);
            kryo.setInstantiatorStrategy(new DefaultInstantiatorStrategy(new StdInstantiatorStrategy()));
            classes.forEach(kryo::register);
        }
    }

    private Instance take() {
        Instance instance = pool.poll();
        return instance == null ? new Instance(classes) : instance;
    }

    @Override
    public void write(WireWriter out, Object graph) {
        Instance instance = take();
        try {
            instance.output.reset();
            instance.kryo.writeClassAndObject(instance.output, graph);
            out.writeBytes(instance.output.getBuffer(), 0, instance.output.position());
        } catch (KryoException | IllegalArgumentException e) {
            throw new RpcException(Status.INVALID_ARGUMENT, "object graph cannot be written: " + explain(e), e);
        } finally {
            instance.kryo.reset();
            pool.add(instance);
        }
    }

    @Override
    public Object read(WireReader in) {
        Instance instance = take();
        try {
            instance.input.setBuffer(in.readBytes());
            return instance.kryo.readClassAndObject(instance.input);
        } catch (RpcException e) {
            throw e;
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            // Kryo meets corrupt bytes with whatever comes: index errors, class casts, negative sizes.
            throw new RpcException(Status.INTERNAL, "object graph cannot be read: " + explain(e), e);
        } finally {
            instance.kryo.reset();
            pool.add(instance);
        }
    }

    private static String explain(Throwable e) {
        String text = String.valueOf(e.getMessage());
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }
}
