package org.jvrpc.runtime.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.PrincipalLimits;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Threads;

/** What gates count, also where something fails. */
class GateTest {

    private static final Who ANN = Who.of(RpcPrincipal.process("ann", "users", 7, 7, RpcPrincipal.UNKNOWN));

    private final List<String> ended = new ArrayList<>();

    private Guard guard(Threads threads) {
        GuardOptions options = new GuardOptions();
        options.limits(new PrincipalLimits().maxSessions(1));
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
}
