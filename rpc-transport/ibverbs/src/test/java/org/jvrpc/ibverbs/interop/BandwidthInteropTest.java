package org.jvrpc.ibverbs.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.jvrpc.ibverbs.NeedsRdmaDevice;
import org.jvrpc.ibverbs.interop.exchange.CRandom;
import org.jvrpc.ibverbs.interop.exchange.Ends;
import org.jvrpc.ibverbs.interop.exchange.Line;
import org.jvrpc.ibverbs.interop.exchange.Tool;

/** perftest's bandwidth tests, Java at either end. */
@NeedsRdmaDevice
final class BandwidthInteropTest {

    private static final String DRIVERS = "org.jvrpc.ibverbs.interop.exchange.Ends#drivers";
    private static final int ITERATIONS = 200;
    /** Several packets, and more than the page by which perftest would turn around. */
    private static final int BYTES = 8192;
    /** perftest adds to so many bytes in turn: to each of its 8 as often. */
    private static final int ATOMIC_BYTES = 4096;

    private static Tool tool(int port, String[] command, String... more) {
        List<String> size = command[0].equals("ib_atomic_bw") ? List.of() : List.of("-s", Integer.toString(BYTES));
        return Tool.start(Stream.of(Stream.of(command), size.stream(), Stream.of("-d", Ends.PEER_NAME, "-x",
                Ends.PEER_GID, "-F", "-n", Integer.toString(ITERATIONS), "-p", Integer.toString(port)), Stream.of(more))
                .flatMap(part -> part).toArray(String[]::new));
    }

    private static int bytes(String[] command) {
        return command[0].equals("ib_atomic_bw") ? ATOMIC_BYTES : BYTES;
    }

    private static void asClient(String driver, BiConsumer<BandwidthPeer, Line> play, String... command) {
        int port = Line.freePort();
        try (Tool tool = tool(port, command);
                BandwidthPeer peer = new BandwidthPeer(driver, tool, true, ITERATIONS, bytes(command));
                Line line = Line.connect(Ends.HOST, Ends.PEER_HOST, port, tool)) {
            play.accept(peer, line);
            tool.finish();
        }
    }

    private static void asServer(String driver, BiConsumer<BandwidthPeer, Line> play, String... command)
            throws Exception {
        try (ServerSocket server = Line.listen(Ends.HOST);
                Tool tool = tool(server.getLocalPort(), command, Ends.HOST);
                BandwidthPeer peer = new BandwidthPeer(driver, tool, false, ITERATIONS, bytes(command));
                Line line = Line.accept(server)) {
            play.accept(peer, line);
            String report = tool.finish();
            assertTrue(report.lines().anyMatch(row -> row.strip().matches("\\d+ +" + ITERATIONS + " .*")),
                    () -> "no row of " + ITERATIONS + " iterations: " + report);
        }
    }

    @ParameterizedTest(name = "driver={0}")
    @MethodSource(DRIVERS)
    void sendBandwidthServesAJavaClient(String driver) {
        asClient(driver, BandwidthPeer::send, "ib_send_bw");
    }

    @ParameterizedTest(name = "driver={0}")
    @MethodSource(DRIVERS)
    void sendBandwidthIsServedByJava(String driver) throws Exception {
        asServer(driver, BandwidthPeer::send, "ib_send_bw");
    }

    @ParameterizedTest(name = "driver={0}")
    @MethodSource(DRIVERS)
    void writeBandwidthServesAJavaClient(String driver) {
        asClient(driver, BandwidthPeer::write, "ib_write_bw");
    }

    @ParameterizedTest(name = "driver={0}")
    @MethodSource(DRIVERS)
    void writeBandwidthIsServedByJavaWhoseMemoryIsWhatWasWritten(String driver) throws Exception {
        asServer(driver, (peer, line) -> CRandom.assertFilled(peer.serve(line, 4711), 0), "ib_write_bw");
    }

    @ParameterizedTest(name = "driver={0}")
    @MethodSource(DRIVERS)
    void readBandwidthServesAJavaClient(String driver) {
        asClient(driver, BandwidthPeer::read, "ib_read_bw");
    }

    @ParameterizedTest(name = "driver={0}")
    @MethodSource(DRIVERS)
    void readBandwidthIsServedByJavaAndLeavesItsMemoryAsItWas(String driver) throws Exception {
        asServer(driver, (peer, line) -> assertEquals(4711, first(peer.serve(line, 4711))), "ib_read_bw");
    }

    @ParameterizedTest(name = "driver={0}")
    @MethodSource(DRIVERS)
    void fetchAndAddBandwidthServesAJavaClient(String driver) {
        asClient(driver, BandwidthPeer::add, "ib_atomic_bw", "-A", "FETCH_AND_ADD");
    }

    @ParameterizedTest(name = "driver={0}")
    @MethodSource(DRIVERS)
    void fetchAndAddBandwidthIsServedByJavaWhoseMemoryCountsTheAdditions(String driver) throws Exception {
        asServer(driver, (peer, line) -> assertEquals(4711 + ITERATIONS, sum(peer.serve(line, 4711))),
                "ib_atomic_bw", "-A", "FETCH_AND_ADD");
    }

    private static long first(byte[] memory) {
        return ByteBuffer.wrap(memory).order(ByteOrder.LITTLE_ENDIAN).getLong(0);
    }

    /** Returns the sum of all words, each of which an addition may have been made to. */
    private static long sum(byte[] memory) {
        ByteBuffer words = ByteBuffer.wrap(memory).order(ByteOrder.LITTLE_ENDIAN);
        long sum = 0;
        while (words.hasRemaining()) {
            sum += words.getLong();
        }
        return sum;
    }
}
