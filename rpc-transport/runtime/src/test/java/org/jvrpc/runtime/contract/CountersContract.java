package org.jvrpc.runtime.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.contract.Calls.Overdrawn;
import org.jvrpc.runtime.counters.Counters;
import org.jvrpc.runtime.counters.EndpointCounters;
import org.jvrpc.runtime.counters.EndpointCounters.Role;
import org.jvrpc.runtime.counters.LatencyHistogram;
import org.jvrpc.runtime.counters.MethodCounters;
import org.jvrpc.runtime.counters.SessionCounters;

/** What clients and servers of one process count. */
public abstract class CountersContract extends RpcContract {

    private static EndpointCounters of(Role role, String address) {
        List<EndpointCounters> found = Counters.own().read().endpoints().stream()
                .filter(endpoint -> endpoint.role() == role && endpoint.address().equals(address)).toList();
        assertEquals(1, found.size(), role + " " + address + " among " + Counters.own().read().endpoints().stream()
                .map(EndpointCounters::address).toList());
        return found.get(0);
    }

    private EndpointCounters server(TestServer server) {
        return of(Role.SERVER, server.address());
    }

    private EndpointCounters client(TestServer server) {
        return of(Role.CLIENT, clientAddress(server.address()));
    }

    private static MethodCounters method(EndpointCounters endpoint, String name) {
        return endpoint.methods().stream().filter(method -> method.method().equals(name)
                && method.service().equals(Calls.class.getName())).findFirst()
                .orElseThrow(() -> new AssertionError("no " + name + " at " + endpoint));
    }

    /** A server counts when it has sent the answer, which its caller may have before. */
    private MethodCounters atServer(TestServer server, String name, long calls) {
        Await.until("the server to count " + calls + " calls of " + name, () -> server(server).methods().stream()
                .anyMatch(method -> method.method().equals(name) && method.calls() >= calls));
        return method(server(server), name);
    }

    @Test
    void callsThatReturnAreCountedOnceOnBothSides() {
        TestServer server = serve();
        Calls calls = connect(server).stub(Calls.class);
        int many = 1000;
        for (int i = 0; i < many; i++) {
            assertEquals(i + 1, calls.add(i, 1));
        }
        calls.nothing();
        for (MethodCounters add : List.of(method(client(server), "add"), atServer(server, "add", many))) {
            assertEquals(many, add.calls());
            assertEquals(many, add.succeeded());
            assertEquals(0, add.failed());
            assertEquals(many, add.ended(Status.OK));
        }
        MethodCounters out = method(client(server), "add");
        MethodCounters in = method(server(server), "add");
        assertEquals(many * 16L, out.bytesOut());
        assertEquals(many * 8L, out.bytesIn());
        assertEquals(out.bytesOut(), in.bytesIn());
        assertEquals(out.bytesIn(), in.bytesOut());
        assertEquals(1, atServer(server, "nothing", 1).calls());
        assertEquals(1, method(client(server), "nothing").calls());
    }

    @Test
    void latenciesAreThoseOfAllCallsOrOfOneInSoManyBehindTheFirst() {
        TestServer server = serve();
        Calls calls = connect(server).stub(Calls.class);
        int many = 64 * 10;
        for (int i = 0; i < 64; i++) {
            calls.nothing();
        }
        assertEquals(64, method(client(server), "nothing").latencies().count());
        assertEquals(64, atServer(server, "nothing", 64).latencies().count());
        for (int i = 64; i < many; i++) {
            calls.nothing();
        }
        for (MethodCounters nothing : List.of(method(client(server), "nothing"), atServer(server, "nothing", many))) {
            LatencyHistogram took = nothing.latencies();
            assertEquals(many, took.count());
            assertTrue(took.percentileNs(50) > 0, "p50");
            assertTrue(took.percentileNs(50) <= took.percentileNs(99), "p99");
            assertTrue(took.totalNs() >= many * took.percentileNs(50) / 4, "total=" + took.totalNs());
        }
        assertTrue(method(client(server), "nothing").latencies().percentileNs(50)
                >= method(server(server), "nothing").latencies().percentileNs(50) / 4, "client against server");
    }

    @Test
    void failuresAreCountedByStatusAndDeclaredExceptionsApart() {
        TestServer server = serve();
        Calls calls = connect(server).stub(Calls.class);
        for (int i = 0; i < 3; i++) {
            assertThrows(Overdrawn.class, () -> calls.fail("declared"));
        }
        failsWith(Status.NOT_FOUND, () -> calls.fail("status"));
        failsWith(Status.UNKNOWN, () -> calls.failHeavy("unchecked"));
        for (EndpointCounters side : List.of(client(server), server(server))) {
            if (side.role() == Role.SERVER) {
                atServer(server, "fail", 4);
                atServer(server, "failHeavy", 1);
            }
            MethodCounters fail = method(of(side.role(), side.address()), "fail");
            assertEquals(3, fail.thrown(), side.role().toString());
            assertEquals(1, fail.ended(Status.NOT_FOUND), side.role().toString());
            assertEquals(4, fail.failed());
            assertEquals(0, fail.succeeded());
            assertEquals(1, method(of(side.role(), side.address()), "failHeavy").ended(Status.UNKNOWN));
        }
    }

    @Test
    void asynchronousAndOneWayCallsAreCountedAsOthersAre() {
        TestServer server = serve();
        RpcClient client = connect(server);
        CallsAsync async = async(client);
        for (int i = 0; i < 100; i++) {
            Await.join(async.add(i, i));
        }
        Calls calls = client.stub(Calls.class);
        for (int i = 0; i < 50; i++) {
            calls.tick(i);
        }
        assertEquals(100, method(client(server), "add").succeeded());
        assertEquals(100, atServer(server, "add", 100).succeeded());
        assertEquals(50, method(client(server), "tick").succeeded());
        assertEquals(50, atServer(server, "tick", 50).succeeded());
    }

    @Test
    void sessionsAreThereWhileTheyLastAndTellWhatIsUnderWay() {
        TestServer server = serve();
        RpcClient client = connect(server);
        Calls calls = client.stub(Calls.class);
        calls.nothing();
        SessionCounters mine = client(server).sessions().get(0);
        assertEquals(1, mine.begun());
        assertEquals(1, mine.ended());
        assertEquals(0, mine.inFlight());
        assertEquals(1, server(server).sessions().size());
        assertEquals(1, server(server).sessionsOpened());
        async(client).hang(1);
        Await.until("the call to be under way on both sides", () -> hanging() == 1
                && client(server).sessions().get(0).inFlight() == 1
                && server(server).sessions().get(0).inFlight() == 1);
        client.close();
        Await.until("the session to go", () -> server(server).sessions().isEmpty());
        assertEquals(1, server(server).sessionsOpened());
        assertEquals(0, Counters.own().read().endpoints().stream().filter(endpoint -> endpoint.role() == Role.CLIENT
                && endpoint.address().equals(clientAddress(server.address()))).count());
    }

    @Test
    void nothingIsCountedWhereItIsSwitchedOff() {
        TestServer server = serve(newAddress(), builder -> builder.counters(false));
        Calls calls = connect(server, builder -> builder.counters(false)).stub(Calls.class);
        calls.nothing();
        assertEquals(0, Counters.own().read().endpoints().stream()
                .filter(endpoint -> endpoint.address().equals(server.address())
                        || endpoint.address().equals(clientAddress(server.address()))).count());
    }

    @Test
    void callsWhoseTimeIsOverAreCountedAndThoseWithoutAServerAsWell() {
        TestServer server = serve();
        Calls calls = connect(server, builder -> builder.reconnect(false)).stub(Calls.class);
        failsWith(Status.DEADLINE_EXCEEDED, () -> calls.hangBriefly(1));
        MethodCounters late = method(client(server), "hangBriefly");
        assertEquals(1, late.ended(Status.DEADLINE_EXCEEDED));
        assertEquals(1, late.calls());
        assertTrue(client(server).waits() >= 1, "waits");
        assertTrue(client(server).sessions().get(0).waits() >= 1, "waits of the session");
        server.shutdownNow();
        failsWith(Status.UNAVAILABLE, calls::nothing);
        failsWith(Status.UNAVAILABLE, calls::nothing);
        assertEquals(2, method(client(server), "nothing").ended(Status.UNAVAILABLE));
    }

    @Test
    void aSessionThatTakesThePlaceOfALostOneIsCounted() {
        String address = newAddress();
        TestServer first = serve(address, builder -> builder);
        RpcClient client = connect(first);
        Calls calls = client.stub(Calls.class);
        calls.nothing();
        String known = clientAddress(first.address());
        first.shutdownNow();
        Await.until("the client to try again", () -> of(Role.CLIENT, known).connectsFailed() > 0);
        serve(first.address(), builder -> builder);
        Await.until("the client to connect again", () -> of(Role.CLIENT, known).reconnects() == 1);
        assertEquals(2, of(Role.CLIENT, known).sessionsOpened());
        assertEquals(1, method(of(Role.CLIENT, known), "nothing").succeeded(), "what the first counted stays");
    }
}
