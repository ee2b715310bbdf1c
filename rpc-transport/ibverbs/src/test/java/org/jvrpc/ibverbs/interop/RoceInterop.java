package org.jvrpc.ibverbs.interop;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.platform.console.ConsoleLauncher;
import org.jvrpc.ibverbs.interop.exchange.Ends;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.RemoteHost;

/**
 * The peers of the C tools once more, with a software RNIC over UDP as Java's device: their test classes run in a JVM
 * on a host that rxe is not on.
 */
abstract class RoceInterop {

    /** Of tests that lose a message when a packet is lost. */
    static final String DATAGRAM = "datagram";
    static final List<Class<?>> SUITES = List.of(RpingInteropTest.class, PingPongInteropTest.class,
            SrqInteropTest.class, PerftestInteropTest.class, BandwidthInteropTest.class);
    static final int LIMIT_SECONDS = 300;
    private static final String SUMMARY = "[";
    private static final String FAILED = "tests failed";
    /** Lines that say nothing of a failure end so. */
    private static final String STARTED = ":: STARTED";
    private static final String SUCCESSFUL = ":: SUCCESSFUL";

    static RemoteHost remote;

    @BeforeAll
    static void makeHost() {
        remote = RemoteHost.make(7);
    }

    @AfterEach
    void calm() {
        remote.calm();
    }

    /** Runs all of them over a wire that does what netem knows to packets of both directions. */
    static void runAll(String netem, int ip) throws IOException {
        remote.disturb(netem);
        run(SUITES, ip == 6, DATAGRAM);
    }

    /** Runs test classes there, in one JVM. @param leaveOut a tag of tests that are not to run */
    static void run(List<Class<?>> suites, boolean ipv6, String leaveOut) throws IOException {
        JavaCommand command = JavaCommand.of(ConsoleLauncher.class).option("-Xmx256m").startedBy(remote.run())
                .property(Ends.PROPERTY + "roce", remote.address(ipv6))
                .property(Ends.PROPERTY + "host", remote.address(false))
                .property(Ends.PROPERTY + "peerHost", remote.rxeAddress(false))
                .property(Ends.PROPERTY + "peerAddress", remote.rxeAddress(ipv6))
                .property(Ends.PROPERTY + "peerName", remote.rxeName())
                .property(Ends.PROPERTY + "peerGid", remote.rxeGid(ipv6))
                .property("junit.jupiter.execution.timeout.default", "120s")
                .arguments("execute", "--disable-banner", "--disable-ansi-colors", "--details=testfeed",
                        "--fail-if-no-tests", "--exclude-tag=" + leaveOut)
                .arguments(suites.stream().map(suite -> "--select-class=" + suite.getName()).toArray(String[]::new));
        try (ChildJvm child = command.start()) {
            String summary = child.expect(SUMMARY, Duration.ofSeconds(LIMIT_SECONDS));
            while (!summary.contains(FAILED)) {
                summary = child.expect(SUMMARY);
            }
            assertTrue(summary.startsWith("0 "), () -> String.join("\n", child.output().stream()
                    .filter(line -> !line.endsWith(STARTED) && !line.endsWith(SUCCESSFUL)).toList()));
        }
    }
}
