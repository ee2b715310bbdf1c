package org.jvrpc.runtime.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.auth.AuditEvent;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.PrincipalLimits;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Threads;

/** What gates count, also where something fails. */
class GateTest {

    private static final Who ANN = Who.of(RpcPrincipal.process("ann", "users", 7, 7, RpcPrincipal.UNKNOWN));

    private static final int ROUNDS = 2000;

    private final List<String> ended = new ArrayList<>();
    private final List<AuditEvent.Kind> audited = Collections.synchronizedList(new ArrayList<>());

    private Guard guard(Threads threads) {
        GuardOptions options = new GuardOptions();
        options.limits(new PrincipalLimits().maxSessions(1));
        options.audit(event -> audited.add(event.kind()), false);
        return new Guard(options, new Environment(Clock.SYSTEM, threads), "test");
    }

    @Test
    void sessionsThatWereLetInBeforeAnyBeganAreLimitedWhenTheyBegin() {
        Guard guard = guard(Threads.DAEMONS);
        guard.connect(ANN);
        guard.connect(ANN); // of a device that says later who is there
        Gate first = guard.gate(1, ANN, why -> ended.add("first: " + why));
        Gate second = guard.gate(2, ANN, why -> ended.add("second: " + why));
        first.begin();
        second.begin();
        assertEquals(List.of("second: principal process:ann has reached its limit: sessions=1 limit=1"), ended);
        second.close();
        first.close();
        guard.connect(ANN);
    }

    @Test
    void aSessionWhoseBeginFailsIsNotCounted() {
        Guard guard = guard((work, name) -> {
            throw new OutOfMemoryError("planted");
        });
        Who expires = Who.of(RpcPrincipal.token("bob", Instant.now().plusSeconds(60)));
        Gate gate = guard.gate(1, expires, ended::add);
        assertThrows(OutOfMemoryError.class, gate::begin);
        guard.connect(expires);
        Gate other = guard.gate(2, ANN, ended::add);
        other.begin();
        assertThrows(RpcException.class, () -> guard.connect(ANN));
        other.close();
        guard.connect(ANN);
        assertEquals(List.of(), ended);
    }

    // ---- a session that ends while it begins

    private static int sessions(Guard guard, RpcPrincipal principal) {
        return guard.pass(principal).account().sessions();
    }

    /** Begins a session whose end comes when somebody asks who is there: nobody is counted yet. */
    @Test
    void aSessionThatEndsBeforeItIsCountedIsNotCountedAfterwards() {
        Guard guard = guard(Threads.DAEMONS);
        Gate[] gate = new Gate[1];
        Who who = Who.later(() -> null, () -> {
            gate[0].close();
            return ANN.principal();
        });
        gate[0] = guard.gate(1, who, ended::add);
        gate[0].begin();
        assertEquals(0, sessions(guard, ANN.principal()));
        assertEquals(0, guard.gates());
        gate[0].close();
        assertEquals(0, sessions(guard, ANN.principal()));
        guard.connect(ANN);
        assertEquals(List.of(), ended);
    }

    /** Begins a session whose end comes when it is counted and known, and no more is done for it. */
    @Test
    void aSessionThatEndsBeforeItIsToldOfIsNotToldOfAfterwards() {
        Gate[] gate = new Gate[1];
        Guard guard = guard((work, name) -> {
            gate[0].close();
            return new Thread(() -> { });
        });
        RpcPrincipal bob = RpcPrincipal.token("bob", Instant.now().plusSeconds(60));
        gate[0] = guard.gate(1, Who.of(bob), ended::add);
        gate[0].begin();
        assertEquals(0, sessions(guard, bob));
        assertEquals(0, guard.gates());
        assertEquals(List.of(AuditEvent.Kind.DISCONNECT), audited);
        assertEquals(List.of(), ended);
    }

    @Test
    void aSessionThatEndedBeforeItBeganDoesNotBegin() {
        Guard guard = guard(Threads.DAEMONS);
        Gate gate = guard.gate(1, ANN, ended::add);
        gate.close();
        gate.begin();
        assertEquals(0, sessions(guard, ANN.principal()));
        assertEquals(0, guard.gates());
        assertEquals(List.of(), audited);
    }

    @Test
    void whereverASessionEndsWhileItBeginsNothingOfItStays() {
        Guard guard = guard(Threads.DAEMONS);
        AtomicReference<Gate> given = new AtomicReference<>();
        AtomicInteger closed = new AtomicInteger();
        CompletableFuture<Integer> closer = Await.start(() -> {
            for (Gate gate = given.getAndSet(null); closed.get() < ROUNDS; gate = given.getAndSet(null)) {
                if (gate != null) {
                    gate.close();
                    closed.incrementAndGet();
                }
            }
            return ROUNDS;
        });
        try {
            for (int round = 1; round <= ROUNDS; round++) {
                Gate gate = guard.gate(round, ANN, ended::add);
                int last = round;
                given.set(gate);
                gate.begin();
                if (closed.get() != last) {
                    Await.until("the session's end", () -> closed.get() == last);
                }
                assertEquals(0, sessions(guard, ANN.principal()), "round " + round);
                assertEquals(0, guard.gates(), "round " + round);
            }
        } finally {
            closed.addAndGet(ROUNDS); // the other thread ends, too
        }
        assertEquals(ROUNDS, Await.join(closer));
        assertEquals(List.of(), ended);
    }
}
