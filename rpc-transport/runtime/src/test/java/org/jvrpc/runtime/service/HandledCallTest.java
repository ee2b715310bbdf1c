package org.jvrpc.runtime.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.contract.TwinService;

/** What a handler may ask of its call, and what becomes of a call's answer when it fails. */
class HandledCallTest {

    private static final MethodDescriptor METHOD = new TwinService().methods().get(0);
    private static final int SLOT_BYTES = 64;

    private final WireReader reader = new WireReader();
    private final ByteBuffer memory = ByteBuffer.allocateDirect(256);
    private long nowNs = 1000;
    private boolean connected = true;

    private final class Call extends HandledCall {

        private CompletionStage<?> left;

        Call(Caller caller) {
            super(caller, () -> nowNs, reader);
        }

        void begin() {
            reset();
        }

        @Override
        protected <R> void leave(CompletionStage<R> stage, ResultWriter<R> resultWriter) {
            left = stage;
        }

        @Override
        public void grow(WireWriter writer, int needed) {
            throw new AssertionError("a failure fits into a slot: needed=" + needed);
        }
    }

    private final class Asker implements Caller {

        @Override
        public boolean isConnected() {
            return connected;
        }

        @Override
        public long id() {
            return 77;
        }

        @Override
        public InetAddress peerHost() {
            return InetAddress.getLoopbackAddress();
        }
    }

    private final Call call = new Call(new Asker());
    private final Call own = new Call(null);

    @Test
    void whoAskedIsKnownWhereSomebodyDid() {
        assertEquals(77, call.sessionId());
        assertEquals(InetAddress.getLoopbackAddress(), call.clientHost());
        assertEquals(0, own.sessionId());
        assertNull(own.clientHost());
        assertSame(reader, call.arguments());
        assertSame(reader, call.reader());
    }

    @Test
    void aCallIsCancelledByItsCallerOrByTheEndOfTheConnection() {
        assertFalse(call.isCancelled());
        connected = false;
        assertTrue(call.isCancelled());
        assertFalse(own.isCancelled());
        connected = true;
        call.cancel();
        assertTrue(call.isCancelled());
        own.cancel();
        assertTrue(own.isCancelled());
        call.begin();
        assertFalse(call.isCancelled(), "the next one is another call");
    }

    @Test
    void theTimeLeftCountsFromWhenTheCallArrived() {
        assertEquals(Long.MAX_VALUE, call.remainingNs());
        call.extension(new Extension(500, new Metadata()), 900);
        assertEquals(900, call.arrivedNs());
        assertEquals(400, call.remainingNs());
        nowNs = 1401;
        assertEquals(-1, call.remainingNs());
        call.begin();
        assertEquals(Long.MAX_VALUE, call.remainingNs());
    }

    @Test
    void metadataIsTheCallsOwn() {
        Metadata metadata = call.metadata();
        assertEquals(0, metadata.size());
        metadata.put("who", "a tester");
        assertSame(metadata, call.metadata());
        assertNotSame(metadata, own.metadata());
        assertEquals(0, own.metadata().size());
        assertEquals(Long.MAX_VALUE, call.remainingNs());
        call.begin();
        assertEquals(0, call.metadata().size());
        Extension came = new Extension(1, new Metadata().put("a", "b"));
        call.extension(came, 0);
        assertSame(came, call.extension());
        assertSame(came.metadata(), call.metadata());
    }

    @Test
    void theMethodIsKnownOnceItIsSet() {
        assertNull(call.descriptor());
        assertNull(call.target());
        ServiceTable.Method method = new ServiceTable.Method(METHOD, null, null, 0);
        call.target(method);
        assertSame(method, call.target());
        assertSame(METHOD, call.descriptor());
        assertSame(METHOD, call.method());
        call.target(null);
        assertNull(call.descriptor());
    }

    @Test
    void anInvalidArgumentIsTheHandlersFaultOnceItsResultBegan() {
        assertSame(Status.INVALID_ARGUMENT, call.blame(Status.INVALID_ARGUMENT));
        assertSame(call.writer(), call.result());
        assertSame(Status.INTERNAL, call.blame(Status.INVALID_ARGUMENT));
        assertSame(Status.NOT_FOUND, call.blame(Status.NOT_FOUND));
        call.begin();
        assertSame(Status.INVALID_ARGUMENT, call.blame(Status.INVALID_ARGUMENT));
    }

    @Test
    void aDeclaredExceptionTakesThePlaceOfWhatWasWritten() {
        call.writer().reset(memory, 0, SLOT_BYTES, null, null);
        call.result().writeLong(1);
        assertSame(call.writer(), call.exception(3));
        assertEquals(0, call.writer().length());
        assertEquals(3, call.thrownNumber());
        call.begin();
        assertEquals(0, call.thrownNumber());
    }

    private String failure(String message) {
        call.writeFailure(memory, 8, SLOT_BYTES, SLOT_BYTES, message);
        WireReader read = new WireReader();
        read.reset(memory, 8, call.writer().length(), null);
        return read.readString();
    }

    @Test
    void aFailureTakesThePlaceOfWhateverWasWrittenAndIsCutToWhatFits() {
        call.exception(3);
        assertEquals("planted", failure("planted"));
        assertEquals(0, call.thrownNumber());
        assertEquals("", failure(null));
        String longest = "世".repeat((SLOT_BYTES - 8) / 2);
        assertEquals(longest, failure(longest));
        assertTrue(call.writer().length() <= SLOT_BYTES);
        assertEquals(longest, failure(longest + "世"));
    }

    @Test
    void aHandlerOfAFutureReturnsOne() {
        call.target(new ServiceTable.Method(METHOD, null, null, 0));
        CompletionStage<String> stage = new CompletableFuture<>();
        call.completeLater(stage, (same, result, thrown) -> { });
        assertSame(stage, call.left);
        RpcException e = assertThrows(RpcException.class,
                () -> call.<String>completeLater(null, (same, result, thrown) -> { }));
        assertEquals(Status.INTERNAL, e.status());
        assertEquals("handler of " + METHOD.fullName() + " returned null for a future", e.getMessage());
    }
}
