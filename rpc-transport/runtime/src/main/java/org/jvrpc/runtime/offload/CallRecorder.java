package org.jvrpc.runtime.offload;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.offload.table.MethodAnswer;
import org.jvrpc.runtime.service.Failures;
import org.jvrpc.runtime.service.ServiceTable;

/**
 * Takes the bytes of a call's arguments from a stub that calls nobody, and those of its answer from a skeleton. One
 * thread.
 */
final class CallRecorder<T> implements RpcChannel {

    private static final int FIRST_BYTES = 512;

    private final ServiceTable.Method method;
    private final T stub;
    private final Recording recording = new Recording();
    private final LocalCall local;
    private final Skeleton replay;
    private Object result;
    private boolean recorded;

    CallRecorder(Class<T> service, ServiceDescriptor<T> descriptor, ServiceTable.Method method) {
        this.method = method;
        this.stub = descriptor.stub(this);
        this.local = new LocalCall(method);
        this.replay = descriptor.skeleton(service.cast(Proxy.newProxyInstance(service.getClassLoader(),
                new Class<?>[] {service}, (proxy, called, arguments) -> result)));
    }

    /** One call of the method, with the arguments whose answer is meant. */
    @FunctionalInterface
    public interface Call<T> {
        Object on(T stub) throws Exception;
    }

    /** Ends a stub's method when its arguments are written: there is no answer. Without a stack, and never seen. */
    private static final class Recorded extends RuntimeException {

        private static final long serialVersionUID = 1L;
        private static final Recorded END = new Recorded();

        private Recorded() {
            super("recorded", null, false, false);
        }
    }

    /** Records the arguments of the one call that is made. */
    WireWriter record(Call<T> call) {
        recorded = false;
        try {
            call.on(stub);
        } catch (Recorded end) {
            recorded = true;
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new RpcException(Status.INTERNAL, "recording of " + method.descriptor().fullName() + " threw: " + e,
                    e);
        }
        if (!recorded) {
            throw new IllegalArgumentException("no call of " + method.descriptor().fullName() + " was made");
        }
        return recording.writer;
    }

    /** Has the implementation answer what was recorded. @throws Throwable what is no answer */
    MethodAnswer answer() throws Throwable {
        return answer(method.skeleton());
    }

    /** Takes a value for the answer of what was recorded. */
    MethodAnswer answer(Object value) {
        result = value;
        try {
            return answer(replay);
        } catch (ClassCastException | NullPointerException | RpcException e) { // another type, or a null within
            throw new IllegalArgumentException(value + " is no result of " + method.descriptor().fullName(), e);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("nothing here throws checked exceptions", e);
        } finally {
            result = null;
        }
    }

    private MethodAnswer answer(Skeleton skeleton) throws Throwable {
        WireWriter in = recording.writer;
        local.begin(in);
        skeleton.dispatch(method.descriptor().index(), local);
        WireWriter out = local.writer();
        return new MethodAnswer(in.buffer(), in.start(), in.length(), out.buffer(), out.start(), out.length(),
                local.thrownNumber());
    }

    @Override
    public ClientCall begin(MethodDescriptor called) {
        if (called.index() != method.descriptor().index()) {
            throw new IllegalArgumentException("answers of " + method.descriptor().fullName()
                    + " are published here, not of " + called.fullName());
        }
        recording.called = called;
        recording.writer.reset(recording.memory, 0, FIRST_BYTES, recording, method.objects());
        return recording;
    }

    /** The call that the stub makes. */
    private static final class Recording extends ClientCall implements WireWriter.Spill {

        private final ByteBuffer memory = ByteBuffer.allocateDirect(FIRST_BYTES);
        private final WireWriter writer = new WireWriter();
        private MethodDescriptor called;

        @Override
        public void grow(WireWriter full, int needed) {
            LocalCall.growOnHeap(full, needed);
        }

        @Override
        public WireWriter arguments() {
            return writer;
        }

        @Override
        public WireReader invoke() {
            throw Recorded.END;
        }

        @Override
        public int thrown() {
            return 0;
        }

        @Override
        public <R> CompletableFuture<R> invokeAsync(ResultReader<R> reader) {
            throw Recorded.END;
        }

        @Override
        public void send() {
            throw Recorded.END;
        }

        @Override
        public void close() {
            // nothing is held
        }

        @Override
        public RuntimeException abandon(Throwable cause) {
            return Failures.ofArguments(cause, called);
        }
    }
}
