package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.VerbsException;

/** Clients and servers that cannot be: each is told why, and what helps, in its time. */
@NeedsRdmaDevices
class RdmaRefusalTest {

    /** What an emulated machine takes on top. */
    private static final long SLACK_NS = 5_000_000_000L;

    /** The native libraries are loaded once, which takes an emulated machine many seconds. */
    @BeforeAll
    static void loadLibraries() {
        Devices.open(Rdma.address()).close();
    }

    private static void says(String message, String... parts) {
        System.out.println(message);
        for (String part : parts) {
            assertTrue(message.contains(part), () -> part + " is not in: " + message);
        }
    }

    private static String unavailable(String address) {
        long startNs = System.nanoTime();
        RpcException e = assertThrows(RpcException.class, () -> RpcClient.connect(address));
        assertEquals(Status.UNAVAILABLE, e.status(), e.toString());
        assertTrue(System.nanoTime() - startNs < SLACK_NS, "too long: " + e.getMessage());
        return e.getMessage();
    }

    private static String refused(String address) {
        return assertThrows(VerbsException.class,
                () -> RpcServer.builder().bind(address).service(Calls.class, new CallsImpl()).start()).getMessage();
    }

    @Test
    void aDeviceThatThereIsNotIsSaidWithThoseThatThereAre() {
        says(unavailable("rdma://10.9.0.2:7471?device=rxe77"), "rxe77", "rxe0", "rxe1");
        says(refused("rdma://10.9.0.2:7471?device=rxe77"), "rxe77", "rxe0", "rxe1");
    }

    @Test
    void anAddressOfNoDeviceIsSaidWithTheAddressesOfTheDevices() {
        says(unavailable("rdma://192.0.2.7:7471"), "192.0.2.7", "rxe0 at", "10.9.0.1");
        says(refused("rdma://192.0.2.7:7471"), "192.0.2.7", "rxe0 at", "10.9.0.1");
        says(refused("rdma://192.0.2.7:7471?device=rxe1"), "192.0.2.7 is of no RDMA device here", "rxe1", "10.9.0.2");
    }

    @Test
    void theLoopbackInterfaceIsSaidToBeNone() {
        for (String device : List.of("", "?device=rxe1")) {
            says(unavailable("rdma://127.0.0.1:7471" + device), "loopback", "rxe1 at", "10.9.0.2");
            says(refused("rdma://127.0.0.1:7471" + device), "loopback", "rxe1 at", "10.9.0.2");
        }
    }

    @Test
    void aPortAtWhichNobodyListensIsSaid() {
        says(unavailable(Rdma.from(Rdma.address())), "nobody listens at", "is the server started");
    }

    @ParameterizedTest
    @ValueSource(strings = {"user", "generic"})
    void aServerThatAcceptsAndNeverAnswersEndsCallsByTheirDeadline(String driver) {
        try (SilentServer silent = new SilentServer(Rdma.address() + "?driver=" + driver)) {
            long startNs = System.nanoTime();
            RpcException e = assertThrows(RpcException.class, () -> {
                try (RpcClient client = RpcClient.builder(silent.address() + "&from=10.9.0.1")
                        .deadline(Duration.ofSeconds(1)).connectTimeout(Duration.ofSeconds(2)).connect()) {
                    client.stub(Calls.class).add(1, 2);
                }
            });
            long tookNs = System.nanoTime() - startNs;
            System.out.println(driver + ": ms=" + tookNs / 1_000_000 + " " + e.getMessage());
            assertEquals(Status.DEADLINE_EXCEEDED, e.status(), e.toString());
            assertTrue(tookNs < Duration.ofSeconds(3).toNanos() + SLACK_NS, "ns=" + tookNs);
            assertTrue(silent.accepted(), "nobody connected");
        }
    }

    @Test
    void aLimitOfLockedMemoryThatIsTooLowIsSaidWithWhatRaisesIt() {
        try (RpcServer server =
                RpcServer.builder().bind(Rdma.address()).service(Calls.class, new CallsImpl()).start();
                ChildJvm child = ChildMain.command("connect", Rdma.from(server.address()))
                        .startedBy(List.of("prlimit", "--memlock=8192:8192", "setpriv",
                                "--bounding-set", "-ipc_lock", "--inh-caps", "-ipc_lock")).start()) {
            says(child.expect("REFUSED"), "RESOURCE_EXHAUSTED", "8 KiB", "ulimit -l", "LimitMEMLOCK");
            try (RpcClient client = RemovalRoles.connect(Rdma.from(server.address()))) {
                assertEquals(3, client.stub(Calls.class).add(1, 2));
            }
        }
    }
}
