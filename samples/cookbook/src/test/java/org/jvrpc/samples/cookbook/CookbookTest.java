package org.jvrpc.samples.cookbook;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.jvrpc.samples.cookbook.calls.Callbacks;
import org.jvrpc.samples.cookbook.calls.DeclaredExceptions;
import org.jvrpc.samples.cookbook.calls.ErrorsWithDetails;
import org.jvrpc.samples.cookbook.calls.Futures;
import org.jvrpc.samples.cookbook.calls.HeavyMethods;
import org.jvrpc.samples.cookbook.calls.InPlaceAndInto;
import org.jvrpc.samples.cookbook.calls.Interceptors;
import org.jvrpc.samples.cookbook.calls.MetadataBothWays;
import org.jvrpc.samples.cookbook.calls.ObjectGraphs;
import org.jvrpc.samples.cookbook.calls.OneWayCalls;
import org.jvrpc.samples.cookbook.calls.Records;
import org.jvrpc.samples.cookbook.calls.SideBySide;
import org.jvrpc.samples.cookbook.networks.Routers;
import org.jvrpc.samples.cookbook.networks.SimulatedFabric;
import org.jvrpc.samples.cookbook.servers.Balancing;
import org.jvrpc.samples.cookbook.servers.Compression;
import org.jvrpc.samples.cookbook.servers.Draining;
import org.jvrpc.samples.cookbook.servers.HealthChecks;
import org.jvrpc.samples.cookbook.servers.Limits;
import org.jvrpc.samples.cookbook.servers.Offloads;
import org.jvrpc.samples.cookbook.servers.PeerIdentity;
import org.jvrpc.samples.cookbook.servers.SeveralServers;
import org.jvrpc.samples.cookbook.streams.ClientStreams;
import org.jvrpc.samples.cookbook.streams.ManualFlowControl;
import org.jvrpc.samples.cookbook.streams.MessageSessions;
import org.jvrpc.samples.cookbook.streams.ServerStreams;
import org.jvrpc.samples.cookbook.streams.StreamsBothWays;
import org.jvrpc.samples.cookbook.waits.Cancellation;
import org.jvrpc.samples.cookbook.waits.Deadlines;
import org.jvrpc.samples.cookbook.waits.DeadlinesAcrossHops;
import org.jvrpc.samples.cookbook.waits.Hedging;
import org.jvrpc.samples.cookbook.waits.IdleStrategies;
import org.jvrpc.samples.cookbook.waits.KeepAlive;
import org.jvrpc.samples.cookbook.waits.Retrying;
import org.jvrpc.samples.cookbook.waits.WaitForReady;
import org.jvrpc.samples.cookbook.watching.AuditLogs;
import org.jvrpc.samples.cookbook.watching.CallMetrics;
import org.jvrpc.samples.cookbook.watching.Evolution;
import org.jvrpc.samples.cookbook.watching.OwnCounters;
import org.jvrpc.samples.cookbook.watching.SelfDescription;

/** Each program of the cookbook prints what its page says that it shows. */
final class CookbookTest {

    @ParameterizedTest(name = "{0}")
    @MethodSource("programs")
    void aProgramPrintsWhatItShows(String name, Printed.Program program, List<String> lines) throws Exception {
        assertEquals(lines, Printed.by(program), name);
    }

    static Stream<Arguments> programs() {
        return Stream.of(calls(), waits(), streams(), servers(), watching(), networks()).flatMap(all -> all);
    }

    private static Stream<Arguments> calls() {
        return Stream.of(
                shows("SideBySide", SideBySide::main, "Order[id=42, symbol=ABC]"),
                shows("Records", Records::main, "27.0", "Item[name=pot, count=1, size=LARGE]"),
                shows("DeclaredExceptions", DeclaredExceptions::main, "no order 42",
                        "INVALID_ARGUMENT, may have run: true", "UNKNOWN, may have run: true"),
                shows("ErrorsWithDetails", ErrorsWithDetails::main,
                        "RESOURCE_EXHAUSTED OVER_QUOTA of orders.acme.org", "asked 120 of 100, again in 50 ms"),
                shows("Futures", Futures::main, "25", "27"),
                shows("Callbacks", Callbacks::main, "5500"),
                shows("OneWayCalls", OneWayCalls::main, "true, last 1000"),
                shows("InPlaceAndInto", InPlaceAndInto::main, "desserts"),
                shows("ObjectGraphs", ObjectGraphs::main, "bicycle with 2 wheels of 28 inches, all of one bicycle"),
                shows("MetadataBothWays", MetadataBothWays::main, "page 3 in Welsh", "host7"),
                shows("Interceptors", Interceptors::main, "server: r-1 done", "client: echo OK", "hello",
                        "a call needs a request-id"));
    }

    private static Stream<Arguments> waits() {
        return Stream.of(
                shows("Deadlines", Deadlines::main, "DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED"),
                shows("DeadlinesAcrossHops", DeadlinesAcrossHops::main, "true"),
                shows("Cancellation", Cancellation::main, "cancelled: true", "the handler stopped: true"),
                shows("HeavyMethods", HeavyMethods::main, "42", "compacted by heavy"),
                shows("Retrying", Retrying::main, "fair, after 2 attempts"),
                shows("Hedging", Hedging::main, "attempt 2"),
                shows("WaitForReady", WaitForReady::main, "noon", "at once: UNAVAILABLE", "after a while: noon"),
                shows("KeepAlive", KeepAlive::main, "pong, connected: true"),
                shows("IdleStrategies", IdleStrategies::main, "SPIN 42", "BACK_OFF 42", "BLOCK 42", "ADAPTIVE 42"));
    }

    private static Stream<Arguments> streams() {
        return Stream.of(
                shows("ServerStreams", ServerStreams::main, "30"),
                shows("ClientStreams", ClientStreams::main, "5000050000"),
                shows("StreamsBothWays", StreamsBothWays::main, "HELLO", "IS ANYBODY THERE?", "more: false"),
                shows("ManualFlowControl", ManualFlowControl::main, "10", "11", "12", "13", "14", "15", "true"),
                shows("MessageSessions", MessageSessions::main, "a frame, in two pieces"));
    }

    private static Stream<Arguments> servers() {
        return Stream.of(
                shows("Balancing", Balancing::main, "{a=3, b=3, c=3}", "true"),
                shows("Draining", Draining::main, "desk 1", "drained: true", "desk 2"),
                shows("SeveralServers", SeveralServers::main, "here", "READY", "UNUSABLE"),
                shows("HealthChecks", HealthChecks::main, "SERVING SERVING", "NOT_SERVING",
                        "SERVING SERVICE_UNKNOWN"),
                shows("Compression", Compression::main, "50000"),
                shows("Limits", Limits::main, "1", "RESOURCE_EXHAUSTED"),
                shows("Offloads", Offloads::main, "7 by the handler: 1", "100 by the program"),
                shows("PeerIdentity", PeerIdentity::main, "true", "ann", "a raise for bob",
                        "PERMISSION_DENIED: process:" + System.getProperty("user.name") + " may not call "
                                + PeerIdentity.Payroll.class.getCanonicalName() + "/raise: raises are for ann"));
    }

    private static Stream<Arguments> watching() {
        return Stream.of(
                shows("SelfDescription", SelfDescription::main, "[org.acme.Orders, org.jvrpc.api.health.Health,"
                        + " org.jvrpc.api.reflection.Reflection, org.jvrpc.api.admin.Admin]"),
                shows("Evolution", Evolution::main, "7", "UNIMPLEMENTED",
                        "compatible: org.acme.Book: a method is new: at old servers its calls fail with"
                                + " UNIMPLEMENTED (cancel(long))"),
                shows("AuditLogs", AuditLogs::main, "PERMISSION_DENIED", "CONNECT", "OPEN", "REFUSAL"),
                shows("OwnCounters", OwnCounters::main, "CLIENT cube 7"),
                shows("CallMetrics", CallMetrics::main, "org.acme.Roots/root OK 5"));
    }

    private static Stream<Arguments> networks() {
        return Stream.of(
                shows("Routers", Routers::main, "7", "tenants at the router: 2", "PERMISSION_DENIED"),
                shows("SimulatedFabric", SimulatedFabric::main,
                        "pauses alone: 36 Gbit/s, pauses: 3514, marked packets: 0",
                        "DCQCN: 22 Gbit/s, pauses: 24, marked packets: 780"));
    }

    private static Arguments shows(String name, Printed.Program program, String... lines) {
        return Arguments.of(name, program, List.of(lines));
    }
}
