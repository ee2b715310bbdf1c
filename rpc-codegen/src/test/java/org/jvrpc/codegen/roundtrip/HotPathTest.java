package org.jvrpc.codegen.roundtrip;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Generated code between a channel and a handler that allocate nothing allocates nothing. */
class HotPathTest {

    private static final ServiceDescriptor<Hot> DESCRIPTOR = Generated.descriptor(Hot.class);
    private static final int WARM_UP = 30_000;
    private static final int CALLS = 10_000;
    /** Compilation may be late where others want the processors, too. */
    private static final int ROUNDS = 50;
    /** What the measurement itself and a late compilation may cost; a call that allocates costs 160,000. */
    private static final long NOISE = 20_000;

    private final Hot handler = new Handler();
    private final Hot stub = DESCRIPTOR.stub(new Channel(DESCRIPTOR.skeleton(handler)));
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(64);
    private final List<Hot.Leg> legs = new ArrayList<>(List.of(new Hot.Leg(1, 2), new Hot.Leg(3, 4)));
    private final Hot.Order order = new Hot.Order(1, "symbol", Hot.Side.SELL, legs, 7L);
    private int errors;

    /** Keeps to primitives and to what it is given. */
    private static final class Handler implements Hot {

        @Override
        public long add(int a, long b, double c, boolean d, char e) {
            return a + b;
        }

        @Override
        public int readInto(long seed, ByteBuffer into) {
            into.putLong(seed);
            return 8;
        }

        @Override
        public long sum(ByteBuffer bytes) {
            return bytes.getLong();
        }

        @Override
        public void tick(int ordinal, double price) {
        }

        @Override
        public int checked(int value) throws RefusedException {
            return value;
        }

        @Override
        public void place(Order order) {
            throw new UnsupportedOperationException("the server decodes, and so allocates");
        }
    }

    private void call() {
        try {
            errors += stub.add(1, 2, 3, true, 'c') == 3 ? 0 : 1;
            errors += stub.readInto(7, buffer.clear()) == 8 ? 0 : 1;
            errors += stub.sum(buffer.flip()) == 7 ? 0 : 1;
            stub.tick(1, 2);
            errors += stub.checked(5) == 5 ? 0 : 1;
            stub.place(order);
        } catch (Hot.RefusedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void stubAndSkeletonAllocateNothing() {
        for (int i = 0; i < WARM_UP; i++) {
            call();
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS && allocated >= NOISE; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < CALLS; i++) {
                call();
            }
            allocated = Math.min(allocated, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertEquals(0, errors);
        assertEquals(0, allocated / NOISE, "allocated bytes=" + allocated + " calls=" + CALLS);
    }

    /** One call at a time, in memory that is used again. */
    private static final class Channel extends ClientCall implements RpcChannel {

        private final Skeleton skeleton;
        private final Served served = new Served();
        private final ByteBuffer request = ByteBuffer.allocateDirect(256);
        private final WireWriter arguments = new WireWriter();
        private final WireReader answer = new WireReader();

        Channel(Skeleton skeleton) {
            this.skeleton = skeleton;
        }

        @Override
        public ClientCall begin(MethodDescriptor method) {
            served.method = method;
            arguments.reset(request, 0, request.capacity(), null, null);
            return this;
        }

        @Override
        public WireWriter arguments() {
            return arguments;
        }

        @Override
        public WireReader invoke() {
            served.run(skeleton, arguments);
            answer.reset(served.result.buffer(), served.result.start(), served.result.length(), null);
            return answer;
        }

        @Override
        public int thrown() {
            return 0;
        }

        @Override
        public <R> CompletableFuture<R> invokeAsync(ResultReader<R> reader) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void send() {
            served.run(skeleton, arguments);
        }

        @Override
        public void close() {
        }

        @Override
        public RuntimeException abandon(Throwable cause) {
            return new IllegalStateException(cause);
        }
    }

    private static final class Served extends ServerCall {

        private final ByteBuffer response = ByteBuffer.allocateDirect(256);
        private final WireReader arguments = new WireReader();
        private final WireWriter result = new WireWriter();
        private MethodDescriptor method;

        void run(Skeleton skeleton, WireWriter request) {
            arguments.reset(request.buffer(), request.start(), request.length(), null);
            result.reset(response, 0, response.capacity(), null, null);
            if (method.name().equals("place")) {
                return;
            }
            try {
                skeleton.dispatch(method.index(), this);
            } catch (Throwable t) {
                throw new AssertionError(t);
            }
        }

        @Override
        public WireReader arguments() {
            return arguments;
        }

        @Override
        public WireWriter result() {
            return result;
        }

        @Override
        public WireWriter exception(int number) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <R> void completeLater(CompletionStage<R> stage, ResultWriter<R> writer) {
            throw new UnsupportedOperationException();
        }

        @Override
        public MethodDescriptor method() {
            return method;
        }

        @Override
        public Metadata metadata() {
            throw new UnsupportedOperationException();
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
}
