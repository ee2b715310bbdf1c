package org.jvrpc.runtime.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.runtime.contract.TwinService;

/** What a caller is told of what a handler, or the writing of arguments, threw. */
class FailuresTest {

    private static final MethodDescriptor METHOD = new TwinService().methods().get(0);

    private static final class Mute extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("planted");
        }
    }

    @Test
    void anExceptionWithAStatusIsPassedOnAsItIsFromWhateverItIsWrappedIn() {
        RpcException e = new RpcException(Status.NOT_FOUND, "planted");
        assertSame(e, Failures.toRpc(e, METHOD));
        assertSame(e, Failures.toRpc(new CompletionException(new ExecutionException(e)), METHOD));
        assertSame(e, Failures.toRpc(new ExecutionException(new CompletionException(e)), null));
    }

    @Test
    void clientsThatNameMethodsThatNobodyHasFillNoMemory() {
        RpcException refused = new RpcException(Status.UNIMPLEMENTED, "planted");
        for (int i = 0; i < Failures.MAX_METHODS + 100; i++) {
            Failures.ofOneWay(refused, new MethodDescriptor(0, "org.acme.Shop", "m" + i, "m" + i + "()void", 0, false,
                    true, 0, false));
        }
        assertTrue(Failures.methods() <= Failures.MAX_METHODS + 1, "methods=" + Failures.methods());
    }

    @Test
    void anyOtherIsUnknownWithItsNameAndMessage() {
        Throwable cause = new IOException("planted");
        RpcException told = Failures.toRpc(new CompletionException(cause), METHOD);
        assertEquals(Status.UNKNOWN, told.status());
        assertEquals("java.io.IOException: planted", told.getMessage());
        assertSame(cause, told.getCause());
        assertEquals("java.io.IOException", Failures.toRpc(new IOException(), METHOD).getMessage());
        assertEquals("java.lang.RuntimeException: java.io.IOException: planted",
                Failures.toRpc(new RuntimeException(cause), METHOD).getMessage(), "what others wrap stays wrapped");
        assertEquals("java.util.concurrent.CompletionException",
                Failures.toRpc(new CompletionException(null, null), null).getMessage());
    }

    @Test
    void oneWhoseMessageCannotBeHadIsNamedAllTheSameHoweverOftenItComes() {
        for (int i = 0; i < 3; i++) {
            assertEquals(Mute.class.getName() + ", whose message cannot be had: java.lang.IllegalStateException",
                    Failures.toRpc(new Mute(), METHOD).getMessage());
            Failures.ofOneWay(new Mute(), METHOD);
        }
    }

    @Test
    void whatTheWritingOfArgumentsThrewIsTheCallersAsItIsWhereItMayBeThrown() {
        RuntimeException unchecked = new IllegalStateException("planted");
        assertSame(unchecked, Failures.ofArguments(unchecked, METHOD));
        Error error = new AssertionError("planted");
        assertSame(error, assertThrows(AssertionError.class, () -> Failures.ofArguments(error, METHOD)));
        Exception checked = new IOException("planted");
        RpcException e = (RpcException) Failures.ofArguments(checked, METHOD);
        assertEquals(Status.INTERNAL, e.status());
        assertEquals("arguments of " + METHOD.fullName() + ": java.io.IOException: planted", e.getMessage());
        assertSame(checked, e.getCause());
        assertTrue(METHOD.fullName().endsWith("/say"));
    }
}
