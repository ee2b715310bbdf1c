package org.jvrpc.codegen.roundtrip;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServiceDescriptor;

class SpecialTest {

    private static final ServiceDescriptor<Special> DESCRIPTOR = Generated.descriptor(Special.class);

    private final Handler handler = new Handler();
    private final LoopChannel channel = new LoopChannel(DESCRIPTOR.skeleton(handler), null);
    private final Special stub = DESCRIPTOR.stub(channel);

    @AfterEach
    void everyCallWasEnded() {
        assertEquals(0, channel.open);
    }

    private static class Handler implements Special {

        String text;
        Leg leg = new Leg("XETR", 1);
        String ticked;

        @Override
        public String echo(String in) {
            return text;
        }

        @Override
        public Leg leg(Leg in, List<String> list) {
            return leg;
        }

        @Override
        public int throwing(int what) throws FileNotFoundException, IOException, Overdrawn {
            switch (what) {
                case 1 -> throw new FileNotFoundException("no file");
                case 2 -> throw new IOException((String) null);
                case 3 -> throw new Overdrawn("too much", 7, List.of(Instant.EPOCH));
                case 4 -> throw new IllegalStateException("declared, though unchecked");
                case 5 -> throw new EOFException("a subclass");
                case 6 -> throw new IllegalArgumentException("not declared");
                case 7 -> throw new RpcException(Status.NOT_FOUND, "chosen by the handler");
                default -> {
                    return what;
                }
            }
        }

        @Override
        public void throwingAny(int what) throws Exception {
            if (what < 0) {
                throw new Exception("checked");
            }
            throwing(what);
        }

        @Override
        public CompletableFuture<String> throwingLater(int what) throws Overdrawn {
            Overdrawn overdrawn = new Overdrawn(null, what, null);
            return switch (what) {
                case 1 -> throw overdrawn;
                case 2 -> CompletableFuture.failedFuture(overdrawn);
                case 3 -> CompletableFuture.failedFuture(new CompletionException(new CompletionException(overdrawn)));
                case 4 -> CompletableFuture.failedFuture(new RpcException(Status.ABORTED, "later"));
                case 5 -> CompletableFuture.completedFuture(null);
                default -> CompletableFuture.completedFuture("result " + what);
            };
        }

        @Override
        public void tick(long a, String b) {
            ticked = a + b;
        }

        @Override
        public void read(long seed, ByteBuffer into) {
            byte[] bytes = new byte[into.remaining()];
            new Random(seed).nextBytes(bytes);
            into.put(bytes);
        }

        @Override
        public long readAndSum(ByteBuffer into, long seed) throws IOException {
            if (seed < 0) {
                into.put((byte) 1);
                throw new IOException("after a byte was put");
            }
            if (seed == 0) {
                into.order(ByteOrder.LITTLE_ENDIAN).limit(into.limit() + 1);
                return 0;
            }
            into.putInt((int) seed);
            return seed;
        }

        @Override
        public long sum(ByteBuffer bytes, int again) {
            assertTrue(bytes.isReadOnly());
            long sum = again;
            while (bytes.hasRemaining()) {
                sum += bytes.get();
            }
            return sum;
        }

        @Override
        public Deep deep(Deep deep) {
            return deep;
        }
    }

    private static void assertStatus(Status status, String message, Executable call) {
        RpcException e = assertThrows(RpcException.class, call);
        assertEquals(status + ": " + message, e.status() + ": " + e.getMessage());
    }

    @Test
    void aNullArgumentIsRefusedByNameBeforeAnythingIsSent() {
        assertStatus(Status.INVALID_ARGUMENT, "text is null: special/echo", () -> stub.echo(null));
        assertStatus(Status.INVALID_ARGUMENT, "Leg.venue is null",
                () -> stub.leg(new Special.Leg(null, 1), List.of()));
        assertStatus(Status.INVALID_ARGUMENT, "element of List<String> is null",
                () -> stub.leg(handler.leg, new LinkedList<>(Collections.singletonList(null))));
        assertStatus(Status.INVALID_ARGUMENT, "into is null: special/read", () -> stub.read(1, null));
        assertNull(channel.lastRequest);
    }

    @Test
    void aNullResultIsAFaultOfTheHandler() {
        assertStatus(Status.INTERNAL, "special/echo returned null", () -> stub.echo("x"));
        handler.leg = new Special.Leg(null, 2);
        assertStatus(Status.INTERNAL, "Leg.venue is null", () -> stub.leg(new Special.Leg("a", 1), List.of()));
    }

    @Test
    void declaredExceptionsArriveAsThemselves() throws Exception {
        assertEquals("no file", assertThrows(FileNotFoundException.class, () -> stub.throwing(1)).getMessage());
        IOException io = assertThrows(IOException.class, () -> stub.throwing(2));
        assertEquals(IOException.class, io.getClass());
        assertNull(io.getMessage());
        Special.Overdrawn overdrawn = assertThrows(Special.Overdrawn.class, () -> stub.throwing(3));
        assertEquals("too much", overdrawn.getMessage());
        assertEquals(7, overdrawn.account());
        assertEquals(List.of(Instant.EPOCH), overdrawn.getSince());
        assertThrows(IllegalStateException.class, () -> stub.throwing(4));
        assertEquals(9, stub.throwing(9));
    }

    @Test
    void anUndeclaredSubclassArrivesAsTheDeclaredClass() {
        IOException io = assertThrows(IOException.class, () -> stub.throwing(5));
        assertEquals(IOException.class, io.getClass());
        assertEquals("a subclass", io.getMessage());
    }

    @Test
    void undeclaredExceptionsKeepTheirStatus() {
        assertEquals(Status.UNKNOWN, assertThrows(RpcException.class, () -> stub.throwing(6)).status());
        assertStatus(Status.NOT_FOUND, "chosen by the handler", () -> stub.throwing(7));
    }

    @Test
    void aMethodThatDeclaresExceptionStillKeepsUncheckedOnesApart() {
        assertEquals(Exception.class, assertThrows(Exception.class, () -> stub.throwingAny(-1)).getClass());
        assertEquals(Exception.class, assertThrows(Exception.class, () -> stub.throwingAny(1)).getClass());
        assertStatus(Status.NOT_FOUND, "chosen by the handler", () -> stub.throwingAny(7));
        assertEquals(Status.UNKNOWN, assertThrows(RpcException.class, () -> stub.throwingAny(6)).status());
    }

    @Test
    void aStageMayEndWithADeclaredExceptionHoweverWrapped() throws Exception {
        for (int what = 1; what <= 3; what++) {
            CompletableFuture<String> future = stub.throwingLater(what);
            ExecutionException e = assertThrows(ExecutionException.class, () -> future.get(1, TimeUnit.SECONDS));
            assertEquals(what, assertInstanceOf(Special.Overdrawn.class, e.getCause()).account());
        }
        ExecutionException e = assertThrows(ExecutionException.class, () -> stub.throwingLater(4).get());
        assertEquals(Status.ABORTED, assertInstanceOf(RpcException.class, e.getCause()).status());
        ExecutionException nothing = assertThrows(ExecutionException.class, () -> stub.throwingLater(5).get());
        assertEquals("special/throwingLater returned null", nothing.getCause().getMessage());
        assertEquals("result 6", stub.throwingLater(6).get());
    }

    @Test
    void oneWayCallsArrive() {
        stub.tick(5, "five");
        assertEquals("5five", handler.ticked);
    }

    @Test
    void intoFillsTheCallersBufferFromItsPosition() {
        ByteBuffer into = ByteBuffer.allocate(100).position(10).limit(90);
        stub.read(42, into);
        assertEquals(90, into.position());
        byte[] expected = new byte[80];
        new Random(42).nextBytes(expected);
        assertArrayEquals(expected, Arrays.copyOfRange(into.array(), 10, 90));
        assertEquals(0, into.array()[95]);
    }

    @Test
    void intoCarriesAPrimitiveBesideTheBytes() throws IOException {
        ByteBuffer into = ByteBuffer.allocateDirect(16);
        assertEquals(77, stub.readAndSum(into, 77));
        assertEquals(4, into.position());
        assertEquals(77, into.getInt(0));
        assertThrows(IOException.class, () -> stub.readAndSum(into, -1));
        assertEquals(4, into.position());
    }

    @Test
    void aHandlerCannotLeaveItsRoom() {
        ByteBuffer into = ByteBuffer.allocate(16);
        RpcException e = assertThrows(RpcException.class, () -> stub.readAndSum(into, 0));
        assertEquals(Status.UNKNOWN, e.status());
        assertTrue(e.getMessage().contains("IllegalArgumentException"), e::getMessage);
    }

    @Test
    void aReadOnlyBufferCannotBeFilled() {
        assertThrows(ReadOnlyBufferException.class, () -> stub.read(1, ByteBuffer.allocate(4).asReadOnlyBuffer()));
    }

    @Test
    void inPlaceBuffersAreReadWhereTheyLanded() {
        ByteBuffer bytes = ByteBuffer.wrap(new byte[] {9, 1, 2, 3, 9}).position(1).limit(4);
        assertEquals(106, stub.sum(bytes, 100));
        assertEquals(1, bytes.position());
    }

    @Test
    void nestingHasALimitOnTheSendersSide() {
        Special.Deep deep = null;
        for (int i = 0; i < 1000; i++) {
            deep = new Special.Deep(deep);
        }
        int depth = 0;
        for (Special.Deep at = stub.deep(deep); at != null; at = at.next()) {
            depth++;
        }
        assertEquals(1000, depth);
        Special.Deep tooDeep = new Special.Deep(deep);
        assertStatus(Status.INVALID_ARGUMENT, "value is nested deeper than 1000", () -> stub.deep(tooDeep));
    }

    @Test
    void noBytesCanExhaustTheStack() {
        byte[] ones = new byte[1 << 20];
        Arrays.fill(ones, (byte) 1);
        LoopChannel.LoopServerCall call = new LoopChannel.LoopServerCall(DESCRIPTOR.methods().stream()
                .filter(method -> method.name().equals("deep")).findFirst().orElseThrow(),
                LoopChannel.reader(ones, null), null);
        call.run(DESCRIPTOR.skeleton(handler));
        RpcException e = assertThrows(RpcException.class, call::throwFailure);
        assertEquals(Status.INTERNAL, e.status());
        assertTrue(e.getMessage().contains("nested deeper"), e::getMessage);
    }
}
