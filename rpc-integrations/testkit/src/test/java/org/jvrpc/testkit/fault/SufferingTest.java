package org.jvrpc.testkit.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.testkit.Orders;

/** Calls whose answers suffer end the same way, whether their callers wait or not. */
class SufferingTest {

    private static final MethodDescriptor METHOD = ServiceDescriptor.of(Orders.class).methods().get(0);
    private static final Fault REPLACED =
            new Fault(Fault.Kind.ANSWER_STATUS, 0, new RpcException(Status.ABORTED, "planted"));
    private static final Fault LOST = new Fault(Fault.Kind.DROP_ANSWER, 0, null);
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LONG_NS = TimeUnit.HOURS.toNanos(1);

    private final Call call = new Call();

    /** A call whose end the test says. */
    private static final class Call extends ClientCall {

        private RuntimeException thrown;
        private CompletableFuture<?> answer;

        @Override
        public WireReader invoke() {
            throw thrown;
        }

        @Override
        @SuppressWarnings("unchecked")
        public <R> CompletableFuture<R> invokeAsync(ResultReader<R> reader) {
            answer = thrown == null ? new CompletableFuture<R>() : CompletableFuture.failedFuture(thrown);
            return (CompletableFuture<R>) answer;
        }

        @Override
        public WireWriter arguments() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int thrown() {
            return 0;
        }

        @Override
        public void send() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            // nothing is kept
        }

        @Override
        public RuntimeException abandon(Throwable cause) {
            throw new UnsupportedOperationException();
        }
    }

    private Suffering suffering(Fault fault, long deadlineNs) {
        return new Suffering(call, fault, null, METHOD, deadlineNs);
    }

    private RpcException waiting(Fault fault, long deadlineNs) {
        return assertThrows(RpcException.class, () -> suffering(fault, deadlineNs).invoke());
    }

    private Throwable later(Fault fault, long deadlineNs) {
        CompletableFuture<?> future = suffering(fault, deadlineNs).invokeAsync((in, thrown) -> null);
        return assertThrows(ExecutionException.class, () -> future.get(60, TimeUnit.SECONDS)).getCause();
    }

    @Test
    void aFailureOfTheHandlerIsLostOrReplaced() {
        call.thrown = new RpcException(Status.INTERNAL, "of the handler");
        assertSame(REPLACED.failure(), waiting(REPLACED, LONG_NS));
        assertSame(REPLACED.failure(), later(REPLACED, LONG_NS));
        assertEquals(Status.DEADLINE_EXCEEDED, waiting(LOST, SHORT_NS).status());
        assertEquals(Status.DEADLINE_EXCEEDED, ((RpcException) later(LOST, SHORT_NS)).status());
    }

    @Test
    void aRefusalIsPassedOnAtOnce() {
        call.thrown = RpcException.notRun(Status.UNAVAILABLE, "refused");
        for (Fault fault : List.of(REPLACED, LOST)) {
            assertSame(call.thrown, waiting(fault, LONG_NS));
            assertSame(call.thrown, later(fault, LONG_NS));
        }
    }

    @Test
    void whatIsCancelledIsCancelledBeneath() {
        for (Fault fault : List.of(REPLACED, LOST, new Fault(Fault.Kind.DELAY, LONG_NS, null))) {
            CompletableFuture<?> future = suffering(fault, LONG_NS).invokeAsync((in, thrown) -> null);
            assertFalse(call.answer.isDone());
            future.cancel(true);
            assertTrue(call.answer.isCancelled(), fault::toString);
        }
    }
}
