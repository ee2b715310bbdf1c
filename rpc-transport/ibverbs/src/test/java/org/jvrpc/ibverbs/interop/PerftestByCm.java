package org.jvrpc.ibverbs.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.jvrpc.ibverbs.interop.exchange.CRandom;
import org.jvrpc.ibverbs.interop.exchange.Ends;
import org.jvrpc.ibverbs.interop.exchange.Line;
import org.jvrpc.ibverbs.interop.exchange.Talk;
import org.jvrpc.ibverbs.interop.exchange.Tool;

/**
 * perftest with {@code -R}: all QPs are connected by {@code rdma_cm}, Java at either end. No test by its name, as it
 * has to run on a host that rxe is not on, where {@link RoceInteropTest} starts it.
 */
final class PerftestByCm {

    private static final int ITERATIONS = 200;
    private static final int BYTES = 3000;
    private static final int WORD = 8;
    private static final int BULK = 8192;

    private static Tool tool(int port, int bytes, String[] command, String... more) {
        Stream<String> size = command[0].startsWith("ib_atomic") ? Stream.empty()
                : Stream.of("-s", Integer.toString(bytes));
        return Tool.start(Stream.of(Stream.of(command), Stream.of("-R", "-d", Ends.PEER_NAME, "-x", Ends.PEER_GID, "-F",
                "-n", Integer.toString(ITERATIONS), "-p", Integer.toString(port)), size, Stream.of(more))
                .flatMap(part -> part).toArray(String[]::new));
    }

    /** What plays, once it can talk. */
    private interface Play {

        void with(Local local, Tool tool, boolean client, Talk line);
    }

    private static Play latency(int bytes, BiConsumer<PerftestPeer, Talk> play) {
        return (local, tool, client, line) ->
                play.accept(new PerftestPeer(local, tool, client, ITERATIONS, bytes), line);
    }

    private static Play bandwidth(BiConsumer<BandwidthPeer, Talk> play) {
        return (local, tool, client, line) ->
                play.accept(new BandwidthPeer(local, tool, client, ITERATIONS, BULK), line);
    }

    private static Local local() {
        return new Local("roce", Math.max(PerftestPeer.BYTES, BandwidthPeer.bytes(BULK)));
    }

    private static void asClient(int bytes, Play play, String... command) {
        int port = Line.freePort();
        try (Tool tool = tool(port, bytes, command); Local local = local()) {
            CmLine line = new CmLine(local, port);
            line.open(tool);
            play.with(local, tool, true, line);
            tool.finish();
        }
    }

    private static void asServer(int bytes, Play play, String... command) {
        int port = Line.freePort();
        try (Local local = local()) {
            CmLine line = new CmLine(local, port);
            line.listen();
            try (Tool tool = tool(port, bytes, command, Ends.HOST)) {
                line.open(tool);
                play.with(local, tool, false, line);
                String report = tool.finish();
                assertTrue(report.lines().anyMatch(row -> row.strip().matches("\\d+ +" + ITERATIONS + " .*")),
                        () -> "no row of " + ITERATIONS + " iterations: " + report);
            }
        }
    }

    @Test
    void sendLatencyServesAJavaClient() {
        asClient(BYTES, latency(BYTES, PerftestPeer::sendLatency), "ib_send_lat");
    }

    @Test
    void sendLatencyIsServedByJava() {
        asServer(BYTES, latency(BYTES, PerftestPeer::sendLatency), "ib_send_lat");
    }

    @Test
    void writeLatencyServesAJavaClient() {
        asClient(WORD, latency(WORD, PerftestPeer::writeLatency), "ib_write_lat");
    }

    @Test
    void writeLatencyIsServedByJava() {
        asServer(WORD, latency(WORD, PerftestPeer::writeLatency), "ib_write_lat");
    }

    @Test
    void readLatencyServesAJavaClient() {
        asClient(BYTES, latency(BYTES, PerftestPeer::readLatency), "ib_read_lat");
    }

    @Test
    void readLatencyIsServedByJava() {
        asServer(BYTES, latency(BYTES, (peer, line) -> assertEquals(4711, peer.serve(line, 4711))), "ib_read_lat");
    }

    @Test
    void fetchAndAddLatencyServesAJavaClient() {
        asClient(WORD, latency(WORD, PerftestPeer::addLatency), "ib_atomic_lat", "-A", "FETCH_AND_ADD");
    }

    @Test
    void fetchAndAddLatencyIsServedByJava() {
        asServer(WORD, latency(WORD, (peer, line) -> assertEquals(4711 + ITERATIONS, peer.serve(line, 4711))),
                "ib_atomic_lat", "-A", "FETCH_AND_ADD");
    }

    @Test
    void sendBandwidthServesAJavaClient() {
        asClient(BULK, bandwidth(BandwidthPeer::send), "ib_send_bw");
    }

    @Test
    void sendBandwidthIsServedByJava() {
        asServer(BULK, bandwidth(BandwidthPeer::send), "ib_send_bw");
    }

    @Test
    void writeBandwidthServesAJavaClient() {
        asClient(BULK, bandwidth(BandwidthPeer::write), "ib_write_bw");
    }

    @Test
    void writeBandwidthIsServedByJavaWhoseMemoryIsWhatWasWritten() {
        asServer(BULK, bandwidth((peer, line) -> CRandom.assertFilled(peer.serve(line, 4711), 0)), "ib_write_bw");
    }

    @Test
    void readBandwidthServesAJavaClient() {
        asClient(BULK, bandwidth(BandwidthPeer::read), "ib_read_bw");
    }

    @Test
    void readBandwidthIsServedByJava() {
        asServer(BULK, bandwidth((peer, line) -> peer.serve(line, 4711)), "ib_read_bw");
    }
}
