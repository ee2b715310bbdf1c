package org.jvrpc.benchmarks.jvrpc;

import java.nio.ByteBuffer;
import java.time.Duration;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Pipeline;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.RpcClient;

/** Calls through the generated stub. */
public final class JvrpcClient implements ClientEnd {

    /** The first connection of a JVM loads native libraries and makes classes: many seconds in an emulated machine. */
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(120);

    /** As many as the largest window: a callback makes the next call, and must find a slot for it. */
    private static final int CALLBACK_SLOTS = 128;

    private final IdleStrategy idle;
    private final boolean buffers;
    private final boolean callbacks;
    private RpcClient client;

    /**
     * A client.
     *
     * @param idle null for the default
     * @param buffers true to echo through buffers of the caller's instead of arrays
     */
    public JvrpcClient(IdleStrategy idle, boolean buffers) {
        this(idle, buffers, false);
    }

    private JvrpcClient(IdleStrategy idle, boolean buffers, boolean callbacks) {
        this.idle = idle;
        this.buffers = buffers;
        this.callbacks = callbacks;
    }

    /** Makes a client whose asynchronous calls have callbacks instead of futures. @param idle null for the default */
    public static JvrpcClient withCallbacks(IdleStrategy idle) {
        return new JvrpcClient(idle, false, true);
    }

    @Override
    public void connect(String address, int index) {
        client = open(address);
    }

    private RpcClient open(String address) {
        RpcClient.Builder builder = RpcClient.builder(address).connectTimeout(CONNECT_LIMIT);
        if (callbacks) {
            builder.slots(CALLBACK_SLOTS);
        }
        if (idle != null) {
            builder.idle(idle);
        }
        Telemetry.add(builder, address);
        return builder.connect();
    }

    @Override
    public Operation operation(Workload workload) {
        BenchService stub = client.stub(BenchService.class);
        return switch (workload.kind()) {
            case NULL -> new Nothing(stub);
            case RECORD -> new Place(stub);
            case ECHO -> buffers ? new EchoBuffers(stub, workload.size()) : new EchoArrays(stub, workload.size());
            case LOOKUP -> throw workload.unsupported();
        };
    }

    @Override
    public Pipeline pipeline() {
        BenchServiceAsync stub = client.asyncStub(BenchService.class, BenchServiceAsync.class);
        return callbacks ? new CallbackPipeline(stub, client::poll) : new JvrpcPipeline(stub);
    }

    /** Prepares echoes of long bodies, for one thread. */
    public Pipeline longBodies(int bytes) {
        return new LongBodies(client.asyncStub(BenchService.class, BenchServiceAsync.class), bytes);
    }

    @Override
    public Operation connecting(String address) {
        return new Operation() {
            private RpcClient opened;

            @Override
            public void call() {
                opened = open(address);
                opened.stub(BenchService.class).nothing();
            }

            @Override
            public void after() {
                opened.close();
            }
        };
    }

    @Override
    public void close() {
        client.close();
    }

    private static IllegalStateException wrong(String what) {
        return new IllegalStateException("wrong answer: " + what);
    }

    private static final class Nothing extends Operation {

        private final BenchService stub;

        Nothing(BenchService stub) {
            this.stub = stub;
        }

        @Override
        public void call() {
            stub.nothing();
        }
    }

    private static final class Place extends Operation {

        private final BenchService stub;
        private BenchOrder order = BenchOrder.of(0);
        private long answer;

        Place(BenchService stub) {
            this.stub = stub;
        }

        @Override
        public void before() {
            order = BenchOrder.of(order.id() + 1);
        }

        @Override
        public void call() {
            answer = stub.place(order);
        }

        @Override
        public void after() {
            if (answer != order.digest()) {
                throw wrong("order=" + order + " answer=" + answer);
            }
        }
    }

    private static final class EchoArrays extends Operation {

        private final BenchService stub;
        private final byte[] payload;
        private byte[] answer;

        EchoArrays(BenchService stub, int size) {
            this.stub = stub;
            this.payload = new byte[size];
        }

        @Override
        public void before() {
            payload[payload.length - 1]++;
        }

        @Override
        public void call() {
            answer = stub.echo(payload);
        }

        @Override
        public void after() {
            int last = payload.length - 1;
            if (answer.length != payload.length || answer[last] != payload[last]) {
                throw wrong("length=" + answer.length + " expected=" + payload.length);
            }
        }
    }

    private static final class EchoBuffers extends Operation {

        private final BenchService stub;
        private final ByteBuffer payload;
        private final ByteBuffer answer;
        private final int last;

        EchoBuffers(BenchService stub, int size) {
            this.stub = stub;
            this.payload = ByteBuffer.allocateDirect(size);
            this.answer = ByteBuffer.allocateDirect(size);
            this.last = size - 1;
        }

        @Override
        public void before() {
            payload.put(last, (byte) (payload.get(last) + 1));
            answer.clear();
        }

        @Override
        public void call() {
            stub.echoBuffer(payload, answer);
        }

        @Override
        public void after() {
            if (answer.position() != last + 1 || answer.get(last) != payload.get(last)) {
                throw wrong("length=" + answer.position() + " expected=" + (last + 1));
            }
        }
    }
}
