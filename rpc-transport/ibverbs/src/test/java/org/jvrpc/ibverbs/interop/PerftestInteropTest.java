package org.jvrpc.ibverbs.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ServerSocket;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.jvrpc.ibverbs.NeedsRdmaDevice;
import org.jvrpc.ibverbs.interop.exchange.Ends;
import org.jvrpc.ibverbs.interop.exchange.Line;
import org.jvrpc.ibverbs.interop.exchange.Tool;

/** perftest's latency tests, Java at either end. */
@NeedsRdmaDevice
final class PerftestInteropTest {

    private static final String DRIVERS = "org.jvrpc.ibverbs.interop.exchange.Ends#drivers";
    /** More than 256, so that a count of 8 bits comes round. */
    private static final int ITERATIONS = 300;
    private static final int READ_BYTES = 3000;
    private static final int BYTES = 8;

    private static Stream<Object[]> sizes() {
        return Ends.drivers(8, 3000);
    }

    private static Stream<Object[]> starts() {
        return Ends.drivers(0L, 4711L);
    }

    private static Tool tool(int port, int bytes, String[] command, String... more) {
        Stream<String> options = Stream.of("-d", Ends.PEER_NAME, "-x", Ends.PEER_GID, "-F", "-n",
                Integer.toString(ITERATIONS), "-p", Integer.toString(port));
        // Who reads sleeps meanwhile; the tests with two CQs cannot, since an event does not say of which it is.
        Stream<String> wait = command[0].equals("ib_read_lat") || command[0].equals("ib_atomic_lat")
                ? Stream.of("-e") : Stream.empty();
        Stream<String> size = command[0].equals("ib_atomic_lat") ? Stream.empty()
                : Stream.of("-s", Integer.toString(bytes));
        return Tool.start(Stream.of(Stream.of(command), options, wait, size, Stream.of(more))
                .flatMap(part -> part).toArray(String[]::new));
    }

    private static void asClient(
            String driver, int bytes, BiConsumer<PerftestPeer, Line> play, String... command) {
        int port = Line.freePort();
        try (Tool tool = tool(port, bytes, command);
                PerftestPeer peer = new PerftestPeer(driver, tool, true, ITERATIONS, bytes);
                Line line = Line.connect(Ends.HOST, Ends.PEER_HOST, port, tool)) {
            play.accept(peer, line);
            tool.finish();
        }
    }

    private static void asServer(
            String driver, int bytes, BiConsumer<PerftestPeer, Line> play, String... command) throws Exception {
        try (ServerSocket server = Line.listen(Ends.HOST);
                Tool tool = tool(server.getLocalPort(), bytes, command, Ends.HOST);
                PerftestPeer peer = new PerftestPeer(driver, tool, false, ITERATIONS, bytes);
                Line line = Line.accept(server)) {
            play.accept(peer, line);
            String report = tool.finish();
            assertTrue(report.lines().anyMatch(row -> row.strip().matches("\\d+ +" + ITERATIONS + " .*")),
                    () -> "no row of " + ITERATIONS + " iterations: " + report);
        }
    }

    @ParameterizedTest(name = "driver={0} bytes={1}")
    @MethodSource("sizes")
    void sendLatencyServesAJavaClient(String driver, int bytes) {
        asClient(driver, bytes, PerftestPeer::sendLatency, "ib_send_lat");
    }

    @ParameterizedTest(name = "driver={0} bytes={1}")
    @MethodSource("sizes")
    void sendLatencyIsServedByJava(String driver, int bytes) throws Exception {
        asServer(driver, bytes, PerftestPeer::sendLatency, "ib_send_lat");
    }

    @ParameterizedTest(name = "driver={0}")
    @MethodSource(DRIVERS)
    void writeLatencyServesAJavaClient(String driver) {
        asClient(driver, BYTES, PerftestPeer::writeLatency, "ib_write_lat");
    }

    @ParameterizedTest(name = "driver={0}")
    @MethodSource(DRIVERS)
    void writeLatencyIsServedByJava(String driver) throws Exception {
        asServer(driver, BYTES, PerftestPeer::writeLatency, "ib_write_lat");
    }

    @ParameterizedTest(name = "driver={0}")
    @MethodSource(DRIVERS)
    void readLatencyServesAJavaClient(String driver) {
        asClient(driver, READ_BYTES, PerftestPeer::readLatency, "ib_read_lat");
    }

    @ParameterizedTest(name = "driver={0}")
    @MethodSource(DRIVERS)
    void readLatencyIsServedByJavaAndLeavesItsMemoryAsItWas(String driver) throws Exception {
        asServer(driver, READ_BYTES, (peer, line) -> assertEquals(4711, peer.serve(line, 4711)), "ib_read_lat");
    }

    @ParameterizedTest(name = "driver={0}")
    @MethodSource(DRIVERS)
    void fetchAndAddLatencyServesAJavaClient(String driver) {
        asClient(driver, BYTES, PerftestPeer::addLatency, "ib_atomic_lat", "-A", "FETCH_AND_ADD");
    }

    @ParameterizedTest(name = "driver={0}")
    @MethodSource(DRIVERS)
    void fetchAndAddLatencyIsServedByJavaWhoseMemoryCountsTheAdditions(String driver) throws Exception {
        asServer(driver, BYTES, (peer, line) -> assertEquals(4711 + ITERATIONS, peer.serve(line, 4711)),
                "ib_atomic_lat", "-A", "FETCH_AND_ADD");
    }

    @ParameterizedTest(name = "driver={0}")
    @MethodSource(DRIVERS)
    void compareAndSwapLatencyServesAJavaClient(String driver) {
        asClient(driver, BYTES, PerftestPeer::swapLatency, "ib_atomic_lat", "-A", "CMP_AND_SWAP");
    }

    @ParameterizedTest(name = "driver={0} start={1}")
    @MethodSource("starts")
    void compareAndSwapLatencyIsServedByJavaWhoseMemoryKeepsItsValue(String driver, long start) throws Exception {
        // The tool swaps 0 for 0: what is there stays, whether it fits or not.
        asServer(driver, BYTES, (peer, line) -> assertEquals(start, peer.serve(line, start)),
                "ib_atomic_lat", "-A", "CMP_AND_SWAP");
    }
}
