package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.RemoteHost;

/**
 * Clients at {@code roce://…?udp=4791} call servers at {@code rdma://} on the kernel's rxe, and the other way round.
 * The process with the software RNIC is on a host of its own.
 */
@NeedsRdmaDevices
class RoceRxeTest {

    private static final AtomicInteger PORT = new AtomicInteger(26_000);
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private static RemoteHost remote;

    @BeforeAll
    static void makeHost() {
        remote = RemoteHost.make(8);
    }

    @AfterEach
    void calm() {
        remote.calm();
    }

    private static long seed(String what) {
        long seed = Long.getLong("jvrpc.test.seed", System.nanoTime());
        System.out.println(what + ": jvrpc.test.seed=" + seed);
        return seed;
    }

    private static String uri(String scheme, String host, int port, String options) {
        return scheme + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port + options;
    }

    @ParameterizedTest(name = "IPv{0}, netem {1}")
    @CsvSource({"4,", "6,", "4,loss 1%", "6,loss 1%", "4,duplicate 5%", "6,duplicate 5%",
        "4,delay 1ms reorder 25% 50%", "6,delay 1ms reorder 25% 50%", "4,corrupt 1%", "6,corrupt 1%"})
    void aClientOverUdpCallsAServerOnRxe(int ip, String netem) {
        long seed = seed("client over UDP, IPv" + ip + ", " + netem);
        int port = PORT.getAndIncrement();
        String host = remote.rxeAddress(ip == 6);
        CallsImpl impl = new CallsImpl();
        RoceRxeCalls.count(impl);
        try (RpcServer server = RpcServer.builder().bind(uri("rdma", host, port, "")).service(Calls.class, impl)
                .context(true).start()) {
            assertTrue(server.address().endsWith(":" + port), server.address());
            disturb(netem);
            String address = uri("roce", host, port, "?udp=4791");
            try (ChildJvm client = ChildMain.command("calls", address, Long.toString(seed)).startedBy(remote.run())
                    .start()) {
                client.expect("CALLED", LIMIT);
            }
        }
    }

    @ParameterizedTest(name = "IPv{0}, netem {1}")
    @CsvSource({"4,", "6,", "4,loss 1%", "6,loss 1%", "4,duplicate 5%", "6,duplicate 5%",
        "4,delay 1ms reorder 25% 50%", "6,delay 1ms reorder 25% 50%", "4,corrupt 1%", "6,corrupt 1%"})
    void aClientOnRxeCallsAServerOverUdp(int ip, String netem) {
        long seed = seed("client on rxe, IPv" + ip + ", " + netem);
        int port = PORT.getAndIncrement();
        String host = remote.address(ip == 6);
        try (ChildJvm server = ChildMain.command("server", uri("roce", host, port, "?udp=4791"))
                .startedBy(remote.run()).start()) {
            server.expect("READY", LIMIT);
            disturb(netem);
            RoceRxeCalls.call(uri("rdma", host, port, "?from=" + remote.rxeAddress(ip == 6)), seed);
        }
    }

    private static void disturb(String netem) {
        if (netem != null) {
            remote.disturb(netem);
        }
    }
}
