package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.runtime.contract.Await;

/** Constructors and listeners of users that throw whatever can be thrown. */
class AnswerErrorTest {

    private RpcServer server;
    private RpcClient client;
    private Parcels parcels;
    private ParcelsAsync async;

    @BeforeEach
    void connect() {
        server = RpcServer.builder().bind(ShmFolder.address()).service(Parcels.class, new Parcels.Sender()).start();
        client = RpcClient.builder(server.address()).slots(2).connect();
        parcels = client.stub(Parcels.class);
        async = client.asyncStub(Parcels.class, ParcelsAsync.class);
    }

    @AfterEach
    void everythingClosesInTime() {
        Await.outcome(Await.start(() -> {
            client.close();
            server.close();
            return true;
        }));
    }

    private static int number(Parcels.Bang bang) {
        return -1 - bang.ordinal();
    }

    private void goesOn() {
        for (int i = 0; i < 10; i++) {
            assertEquals(i + 1, parcels.add(i, 1));
            assertEquals(i + 2, Await.outcome(async.add(i, 2)));
        }
        assertEquals(3, Await.outcome(Await.start(() -> parcels.add(1, 2))), "of another thread");
    }

    @ParameterizedTest
    @EnumSource(Parcels.Bang.class)
    void aSynchronousCallerGetsItAndHasLostNothing(Parcels.Bang bang) {
        for (int i = 0; i < 5; i++) {
            assertEquals("bang", assertThrows(Throwable.class, () -> parcels.light(number(bang))).getMessage());
            assertEquals("bang", assertThrows(Throwable.class, () -> parcels.heavy(number(bang))).getMessage());
        }
        goesOn();
    }

    @ParameterizedTest
    @EnumSource(Parcels.Bang.class)
    void aFutureEndsWithIt(Parcels.Bang bang) {
        for (int i = 0; i < 5; i++) {
            assertEquals("bang", ((Throwable) Await.outcome(async.light(number(bang)))).getMessage());
            assertEquals("bang", ((Throwable) Await.outcome(async.heavy(number(bang)))).getMessage());
        }
        goesOn();
    }

    @ParameterizedTest
    @EnumSource(Parcels.Bang.class)
    void aCallerThatPollsForAnothersFutureMeetsNothingOfIt(Parcels.Bang bang) {
        for (int i = 0; i < 5; i++) {
            CompletableFuture<Parcels.Parcel> others = async.light(number(bang));
            assertEquals(i + 1, parcels.add(i, 1)); // its answer comes behind the other
            assertEquals("bang", ((Throwable) Await.outcome(others)).getMessage());
        }
        goesOn();
    }

    @Test
    void aListenerThatThrowsAnErrorKeepsNobodysFutureFromItsEnd() {
        AtomicInteger told = new AtomicInteger();
        try (RpcClient watched = RpcClient.builder(server.address()).intercept((call, next) -> {
            call.whenEnded((status, message) -> {
                told.incrementAndGet();
                throw new AssertionError("listener");
            });
            next.proceed();
        }).connect()) {
            ParcelsAsync calls = watched.asyncStub(Parcels.class, ParcelsAsync.class);
            List<CompletableFuture<Integer>> all = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                all.add(calls.add(i, 1));
            }
            for (int i = 0; i < 20; i++) {
                assertEquals(i + 1, Await.outcome(all.get(i)));
            }
            assertTrue(told.get() >= 20, "told=" + told);
        }
    }
}
