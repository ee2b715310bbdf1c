package org.jvrpc.runtime.invocation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.runtime.contract.CallsService;

/** Interceptors around a call, and what its listeners hear of its end. */
class ClientInvocationTest {

    private static final MethodDescriptor METHOD = CallsService.ECHO;
    private static final String NO_MESSAGE = "OK null";

    private final List<String> ran = new ArrayList<>();
    private final List<String> heard = new ArrayList<>();
    private long nowNs = 1000;

    private ClientInvocation invocation(ClientInterceptor... interceptors) {
        ClientInvocation invocation = new ClientInvocation(() -> nowNs, List.of(interceptors), METHOD,
                CallOptions.DEFAULT.withMetadata("who", "a tester"), 500, 1500);
        invocation.whenEnded((status, message) -> heard.add(status + " " + message));
        return invocation;
    }

    private ClientInterceptor named(String name) {
        return (call, next) -> {
            ran.add(name + " in");
            next.proceed();
            ran.add(name + " out");
        };
    }

    @Test
    void eachRunsAroundTheNextAndTheCallIsTheInmost() {
        invocation(named("a"), named("b")).run(() -> ran.add("call"));
        assertEquals(List.of("a in", "b in", "call", "b out", "a out"), ran);
        assertEquals(List.of(NO_MESSAGE), heard);
        ran.clear();
        invocation(named("a")).start(() -> ran.add("sent"));
        assertEquals(List.of("a in", "sent", "a out"), ran);
        assertEquals(List.of(NO_MESSAGE), heard, "an asynchronous call has not ended when it is sent");
    }

    @Test
    void noneProceedsTwice() {
        ClientInterceptor twice = (call, next) -> {
            next.proceed();
            next.proceed();
        };
        IllegalStateException e = assertThrows(IllegalStateException.class,
                () -> invocation(named("a"), twice).run(() -> ran.add("call")));
        assertEquals("proceed() was called twice by an interceptor of " + METHOD.fullName(), e.getMessage());
        assertEquals(List.of("a in", "call"), ran);
        assertEquals(List.of("UNKNOWN " + e), heard);
    }

    @Test
    void oneThatDoesNotProceedEndsTheCall() {
        RpcException e = assertThrows(RpcException.class,
                () -> invocation(named("a"), (call, next) -> { }).run(() -> ran.add("call")));
        assertEquals(Status.CANCELLED, e.status());
        assertEquals("an interceptor did not let the call go on: " + METHOD.fullName(), e.getMessage());
        assertEquals(List.of("a in"), ran);
        assertEquals(List.of("CANCELLED " + e.getMessage()), heard);
    }

    @Test
    void aFailureThatAnInterceptorKeepsToItselfIsTheAnswerAllTheSame() {
        RpcException failure = new RpcException(Status.NOT_FOUND, "planted");
        ClientInterceptor keeps = (call, next) -> {
            try {
                next.proceed();
            } catch (RpcException e) {
                ran.add("kept");
            }
        };
        assertSame(failure, assertThrows(RpcException.class, () -> invocation(keeps).run(() -> {
            throw failure;
        })));
        assertEquals(List.of("kept"), ran);
        assertEquals(List.of("NOT_FOUND planted"), heard);
    }

    @Test
    void whatAnInterceptorThrowsIsHeardOf() {
        IllegalStateException planted = new IllegalStateException("planted");
        ClientInterceptor throwing = (call, next) -> {
            throw planted;
        };
        assertSame(planted, assertThrows(IllegalStateException.class, () -> invocation(throwing).run(() -> { })));
        assertSame(planted, assertThrows(IllegalStateException.class, () -> invocation(throwing).start(() -> { })));
        assertEquals(List.of("UNKNOWN " + planted, "UNKNOWN " + planted), heard);
        RpcException refusal = new RpcException(Status.UNAVAILABLE, "planted");
        assertSame(refusal, assertThrows(RpcException.class, () -> invocation((call, next) -> {
            throw refusal;
        }).start(() -> { })));
        assertEquals(2, heard.size(), "its future tells of it");
    }

    @Test
    void whatAnInterceptorThrowsBehindACallThatMayHaveRunDoesNotSayThatItDidNot() {
        RpcException others = RpcException.notRun(Status.UNAVAILABLE, "the auditor is not there");
        ClientInterceptor audits = (call, next) -> {
            try {
                next.proceed();
            } finally {
                ran.add("audit");
                throwIt(others);
            }
        };
        List<Runnable> calls = List.of(() -> { }, () -> {
            throw new RpcException(Status.DEADLINE_EXCEEDED, "planted");
        }, () -> {
            throw new IllegalStateException("planted");
        });
        for (Runnable call : calls) {
            assertTrue(assertThrows(RpcException.class, () -> invocation(audits).run(call)).mayHaveRun());
            assertTrue(assertThrows(RpcException.class, () -> invocation(audits).start(call)).mayHaveRun());
        }
        assertSame(others, assertThrows(RpcException.class, () -> invocation(audits).run(() -> {
            throw RpcException.notRun(Status.CANCELLED, "planted");
        })));
        assertSame(others, assertThrows(RpcException.class, () -> invocation((call, next) -> {
            throw others;
        }).run(() -> { })));
    }

    private static void throwIt(RpcException e) {
        throw e;
    }

    @Test
    void noneProceedsBehindItsEndWhenItsCallerWasToldThatTheCallDidNotRun() {
        List<Runnable> kept = new ArrayList<>();
        assertThrows(RpcException.class, () -> invocation((call, next) -> kept.add(next::proceed))
                .run(() -> ran.add("call")));
        assertThrows(IllegalStateException.class, kept.get(0)::run);
        assertEquals(List.of(), ran);
    }

    @Test
    void theEndIsToldOnceToAllInTheirOrder() {
        ClientInvocation call = invocation();
        call.whenEnded((status, message) -> heard.add("second " + status));
        call.ended(Status.ABORTED, "planted");
        call.ended(Status.OK, null);
        assertEquals(List.of("ABORTED planted", "second ABORTED"), heard);
    }

    @Test
    void aListenerThatThrowsHarmsNobody() {
        ClientInvocation call = invocation();
        call.whenEnded((status, message) -> {
            throw new AssertionError("planted");
        });
        call.run(() -> ran.add("call"));
        assertEquals(List.of("call"), ran);
        assertEquals(List.of(NO_MESSAGE), heard);
    }

    @Test
    void anInterceptorSeesTheCallAndMaySetItsTime() {
        ClientInvocation call = invocation();
        assertSame(METHOD, call.method());
        assertEquals("a tester", call.metadata().get("who"));
        assertEquals(500, call.deadlineNs());
        assertEquals(500, call.limitNs());
        assertEquals(1500, call.endNs());
        nowNs += 700;
        assertEquals(-200, call.deadlineNs());
        call.deadlineNs(1);
        assertEquals(1, call.limitNs());
        assertEquals(1701, call.endNs());
        for (long bad : new long[] {0, -1}) {
            assertEquals("deadlineNs must be positive, deadlineNs=" + bad,
                    assertThrows(IllegalArgumentException.class, () -> call.deadlineNs(bad)).getMessage());
        }
        assertEquals(1, call.deadlineNs());
    }
}
