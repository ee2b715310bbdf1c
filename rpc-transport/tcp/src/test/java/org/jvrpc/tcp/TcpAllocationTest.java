package org.jvrpc.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.contract.RpcUnderTest;

/** What calls over streams make no garbage for, at either end. */
class TcpAllocationTest {

    private static final int CALLS = 1000;
    private static final long TIMEOUT_NS = 60_000_000_000L;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private long allocated() {
        return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds())).sum();
    }

    /** Goes on until a round took nothing, as compilers come late on a slow machine. */
    private void allocatesNothing(Runnable call) {
        List<Long> taken = new ArrayList<>();
        long startNs = System.nanoTime();
        do {
            assertTrue(System.nanoTime() - startNs < TIMEOUT_NS, () -> "each " + CALLS + " calls took bytes: " + taken);
            long first = allocated();
            long before = allocated();
            for (int i = 0; i < CALLS; i++) {
                call.run();
            }
            taken.add(allocated() - before - (before - first)); // a look takes some, too
        } while (taken.get(taken.size() - 1) >= CALLS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "unix", "inproc"})
    void callsMakeNoGarbage(String scheme) {
        RpcUnderTest kind = switch (scheme) {
            case "tcp" -> new TcpUnderTest() { };
            case "unix" -> new UnixUnderTest() { };
            default -> () -> scheme + "://allocation";
        };
        try (RpcServer server = RpcServer.builder().bind(kind.newAddress()).service(Adder.class, Integer::sum).start();
                RpcClient client = RpcClient.connect(server.address())) {
            Adder adder = client.stub(Adder.class);
            allocatesNothing(() -> assertEquals(5, adder.add(2, 3)));
        }
    }
}
