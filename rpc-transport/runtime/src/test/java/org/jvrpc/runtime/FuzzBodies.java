package org.jvrpc.runtime;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.graph.KryoCodec;

/** Bodies that generated stubs write, and what becomes of them by chance. */
public final class FuzzBodies {

    /** One that a stub wrote. */
    record Written(MethodDescriptor method, byte[] bytes) {
    }

    private static final int[] EXTREMES = {-1, 0, 1, Integer.MAX_VALUE, Integer.MIN_VALUE, 0x7ffffff0, 1 << 20, 255};
    private final List<Written> written = new ArrayList<>();

    FuzzBodies() {
        Calls calls = new CallsService().stub(Recorder::new);
        Calls.Node node = new Calls.Node();
        node.name = "a name";
        node.next = new Calls.Node();
        Calls.Order order = new Calls.Order(1, "ACME", Calls.Side.BUY, 2, 3.5, List.of(new Calls.Leg(1, 2)));
        record(() -> calls.nothing());
        record(() -> calls.add(1, 2));
        record(() -> calls.primitives(true, (byte) 1, (short) 2, 'c', 3, 4, 5f, 6.0));
        record(() -> calls.boxes(true, null, 3L, 4.0));
        record(() -> calls.text("a text"));
        record(() -> calls.nullable("w\u00efde \u4e16"));
        record(() -> calls.echo(new byte[300]));
        record(() -> calls.echoHeavy(new byte[30]));
        record(() -> calls.echoLater(new byte[30]));
        record(() -> calls.echoHeavyLater(new byte[31]));
        record(() -> calls.copy(ByteBuffer.allocate(100), ByteBuffer.allocate(100)));
        record(() -> calls.order(order));
        record(() -> calls.orders(Map.of("a", List.of(order, order), "b", List.of()), Set.of(Calls.Side.BUY),
                Optional.of(order)));
        record(() -> calls.graph(node));
        record(() -> calls.tick(5));
        record(() -> calls.tell(new byte[20]));
        record(() -> calls.tickHeavy(5));
        record(() -> calls.fail("how"));
        record(() -> calls.failHeavyLater("how"));
    }

    private interface Writes {
        void run() throws Exception;
    }

    private static void record(Writes call) {
        try {
            call.run();
        } catch (Recorded e) {
            return;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Ends a stub's call once its arguments are written. */
    private static final class Recorded extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Recorded() {
            super(null, null, false, false);
        }
    }

    private final class Recorder extends ClientCall {
        private final MethodDescriptor method;
        private final ByteBuffer memory = ByteBuffer.allocateDirect(1 << 16);
        private final WireWriter writer = new WireWriter();

        Recorder(MethodDescriptor method) {
            this.method = method;
            writer.reset(memory, 0, memory.capacity(), null, new KryoCodec(new CallsService().objectClasses()));
        }

        private Recorded done() {
            byte[] bytes = new byte[writer.length()];
            memory.get(0, bytes);
            written.add(new Written(method, bytes));
            return new Recorded();
        }

        @Override
        public WireWriter arguments() {
            return writer;
        }

        @Override
        public WireReader invoke() {
            throw done();
        }

        @Override
        public int thrown() {
            return 0;
        }

        @Override
        public <R> CompletableFuture<R> invokeAsync(ResultReader<R> reader) {
            throw done();
        }

        @Override
        public void send() {
            throw done();
        }

        @Override
        public void close() {
            writer.rewind();
        }

        @Override
        public RuntimeException abandon(Throwable cause) {
            return new IllegalStateException(cause);
        }
    }

    Written any(SplittableRandom random) {
        return written.get(random.nextInt(written.size()));
    }

    /** Writes a body to a slot, changed by chance in one of several ways or not at all; returns its length. */
    static int mutate(byte[] from, ByteBuffer to, SplittableRandom random) {
        int length = Math.min(from.length, to.capacity());
        to.put(0, from, 0, length);
        switch (random.nextInt(7)) {
            case 0 -> {
                return length;
            }
            case 1 -> {
                return random.nextInt(length + 1);
            }
            case 2 -> {
                return Math.min(to.capacity(), length + random.nextInt(64));
            }
            case 3 -> {
                length = random.nextInt(to.capacity() + 1);
                for (int i = 0; i < length; i++) {
                    to.put(i, (byte) random.nextInt());
                }
            }
            case 4 -> {
                if (length >= 4) {
                    int extreme = Integer.reverseBytes(EXTREMES[random.nextInt(EXTREMES.length)]);
                    to.putInt(random.nextInt(length - 3), extreme);
                }
            }
            default -> {
                for (int i = random.nextInt(1, 9); i > 0 && length > 0; i--) {
                    int at = random.nextInt(length);
                    to.put(at, (byte) (to.get(at) ^ 1 << random.nextInt(8)));
                }
            }
        }
        return length;
    }

    /** An implementation that returns what it got where it can, and never throws. */
    public static Calls harmless() {
        return (Calls) Proxy.newProxyInstance(Calls.class.getClassLoader(), new Class<?>[] {Calls.class},
                (proxy, method, arguments) -> {
                    Class<?> type = method.getReturnType();
                    for (Object argument : arguments == null ? new Object[0] : arguments) {
                        if (type.isInstance(argument)) {
                            return argument;
                        }
                        if (type == CompletableFuture.class && argument instanceof byte[]) {
                            return CompletableFuture.completedFuture(argument);
                        }
                    }
                    return type == long.class ? (Object) 1L : type == int.class ? (Object) 1
                            : type == String.class ? "text" : type == byte[].class ? new byte[5]
                            : type == CompletableFuture.class ? CompletableFuture.completedFuture(null) : null;
                });
    }
}
