package org.jvrpc.runtime.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.ServerInterceptor;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.runtime.contract.CallsService;

/** Interceptors around a handler. */
class ServerChainTest {

    private static final MethodDescriptor METHOD = new CallsService().methods().get(2);

    private final List<String> ran = new ArrayList<>();
    private Throwable planted;

    private final Skeleton skeleton = (index, call) -> {
        assertEquals(METHOD.index(), index);
        ran.add("handler");
        if (planted != null) {
            throw planted;
        }
    };

    private ServerChain chain(ServerInterceptor... interceptors) {
        return new ServerChain(interceptors, 0, new ServiceTable.Method(METHOD, skeleton, null, 0), null);
    }

    private ServerInterceptor named(String name) {
        return (call, next) -> {
            ran.add(name + " in");
            next.proceed();
            ran.add(name + " out");
        };
    }

    @Test
    void eachRunsAroundTheNextAndTheHandlerIsTheInmost() throws Exception {
        chain(named("a"), named("b")).proceed();
        assertEquals(List.of("a in", "b in", "handler", "b out", "a out"), ran);
        ran.clear();
        chain().proceed();
        assertEquals(List.of("handler"), ran);
    }

    @Test
    void noneRunsTheNextOneTwice() {
        IllegalStateException e = assertThrows(IllegalStateException.class, chain(named("a"), (call, next) -> {
            next.proceed();
            next.proceed();
        })::proceed);
        assertEquals("proceed() was called twice for " + METHOD.fullName(), e.getMessage());
        assertEquals(List.of("a in", "handler"), ran);
    }

    @Test
    void oneThatLetsNoCallGoOnEndsIt() {
        RpcException e = assertThrows(RpcException.class, chain(named("a"), (call, next) -> { })::proceed);
        assertEquals(Status.CANCELLED, e.status());
        assertEquals("an interceptor did not let the call go on: " + METHOD.fullName(), e.getMessage());
        assertEquals(List.of("a in"), ran);
    }

    @Test
    void aFailureThatAnInterceptorKeepsToItselfIsTheAnswerAllTheSame() {
        for (Throwable failure : new Throwable[] {new IOException("planted"), new AssertionError("planted")}) {
            planted = failure;
            assertSame(failure, assertThrows(Throwable.class, chain(named("a"), (call, next) -> {
                try {
                    next.proceed();
                } catch (Exception | Error e) {
                    ran.add("kept");
                }
            })::proceed));
        }
        assertEquals(List.of("a in", "handler", "kept", "a in", "handler", "kept"), ran);
    }

    @Test
    void whatMayNotBeThrownIsWrapped() {
        planted = new Throwable("planted");
        IllegalStateException e = assertThrows(IllegalStateException.class, chain()::proceed);
        assertSame(planted, e.getCause());
        assertSame(planted, assertThrows(IllegalStateException.class, chain((call, next) -> {
            try {
                next.proceed();
            } catch (IllegalStateException kept) {
                ran.add("kept");
            }
        })::proceed).getCause(), "also where it was kept back");
    }
}
