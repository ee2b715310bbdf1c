package org.jvrpc.ibverbs.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ServerSocket;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.jvrpc.ibverbs.NeedsRdmaDevice;
import org.jvrpc.ibverbs.interop.exchange.Ends;
import org.jvrpc.ibverbs.interop.exchange.Line;
import org.jvrpc.ibverbs.interop.exchange.Place;
import org.jvrpc.ibverbs.interop.exchange.Seeds;
import org.jvrpc.ibverbs.interop.exchange.Tool;
import org.jvrpc.verbs.AddressHandle;
import org.jvrpc.verbs.Destination;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;

/** {@code ibv_rc_pingpong} and {@code ibv_ud_pingpong}, as client and as server. */
@NeedsRdmaDevice
final class PingPongInteropTest {

    private static final String DRIVERS = "org.jvrpc.ibverbs.interop.exchange.Ends#drivers";
    private static final int ITERATIONS = 100;
    /** More than a page, more than a packet, and no multiple of either. */
    private static final int RC_BYTES = 5000;
    private static final int UD_BYTES = 999;
    private static final int UD_QKEY = 0x11111111;
    private static final int RECEIVES = 4;

    private static Tool tool(String name, int port, int bytes, String... more) {
        return Tool.start(Stream.concat(Stream.of(name, "-d", Ends.PEER_NAME, "-g", Ends.PEER_GID, "-c", "-e", "-p",
                Integer.toString(port), "-s", Integer.toString(bytes), "-n", Integer.toString(ITERATIONS)),
                Stream.of(more)).toArray(String[]::new));
    }

    /** One QP that plays. */
    private static final class Player implements AutoCloseable {

        final Local local;
        final QueuePair qp;
        final int bytes;
        final int header;
        private PostReceive receive;

        Player(String driver, boolean datagram) {
            local = new Local(driver, 1 << 18);
            bytes = datagram ? UD_BYTES : RC_BYTES;
            header = datagram ? QueuePair.DATAGRAM_HEADER_BYTES : 0;
            qp = local.keep(local.pd.createQp(
                    datagram ? local.attributes().datagram(UD_QKEY) : local.attributes()));
            qp.init();
            receive = qp.prepareReceive(ReceiveRequest.of(1, Sge.of(local.mr, Echo.IN, header + bytes)));
            for (int i = 0; i < RECEIVES; i++) {
                assertEquals(1, receive.execute());
            }
        }

        private PostSend connect(Place remote) {
            Sge data = Sge.of(local.mr, 0, bytes);
            if (header == 0) {
                qp.connect(remote.endpoint());
                return qp.prepareSend(SendRequest.send(2, data).signalled());
            }
            qp.ready();
            AddressHandle handle = local.keep(local.pd.createAh(remote.endpoint()));
            return qp.prepareSend(
                    SendRequest.datagram(2, new Destination(handle, remote.qpn(), UD_QKEY), data).signalled());
        }

        void asClient(Line line, Tool tool, long seed) {
            Place remote = Echo.askServer(line, List.of(Place.of(qp))).get(0);
            PostSend send = connect(remote);
            new Echo(local, tool, bytes, header, seed).play(true, ITERATIONS, send, receive);
        }

        void asServer(Line line, Tool tool, long seed) {
            PostSend send = connect(Echo.hearClient(line, 1).get(0));
            Echo.answerClient(line, List.of(Place.of(qp)));
            new Echo(local, tool, bytes, header, seed).play(false, ITERATIONS, send, receive);
        }

        @Override
        public void close() {
            local.close();
        }
    }

    private static void client(String name, String driver, boolean datagram) {
        int port = Line.freePort();
        try (Player player = new Player(driver, datagram);
                Tool tool = tool(name, port, player.bytes);
                Line line = Line.connect(Ends.HOST, Ends.PEER_HOST, port, tool)) {
            player.asClient(line, tool, Seeds.next(name));
            wellDone(tool.finish(), player.bytes);
        }
    }

    private static void server(String name, String driver, boolean datagram) throws Exception {
        try (Player player = new Player(driver, datagram);
                ServerSocket server = Line.listen(Ends.HOST);
                Tool tool = tool(name, server.getLocalPort(), player.bytes, Ends.HOST);
                Line line = Line.accept(server)) {
            player.asServer(line, tool, Seeds.next(name));
            wellDone(tool.finish(), player.bytes);
        }
    }

    /** The tool prints how many bytes it moved, both ways together, and complains of what is not right. */
    private static void wellDone(String output, int bytes) {
        assertFalse(output.contains("invalid data"), output);
        assertTrue(output.contains((long) bytes * ITERATIONS * 2 + " bytes in "), output);
        assertTrue(output.contains(ITERATIONS + " iters in "), output);
    }

    @ParameterizedTest(name = "driver={0}")
    @MethodSource(DRIVERS)
    void rcPingPongServesAJavaClient(String driver) {
        client("ibv_rc_pingpong", driver, false);
    }

    @ParameterizedTest(name = "driver={0}")
    @MethodSource(DRIVERS)
    void rcPingPongIsServedByJava(String driver) throws Exception {
        server("ibv_rc_pingpong", driver, false);
    }

    @ParameterizedTest(name = "driver={0}")
    @MethodSource(DRIVERS)
    @Tag(RoceInterop.DATAGRAM)
    void udPingPongServesAJavaClient(String driver) {
        client("ibv_ud_pingpong", driver, true);
    }

    @ParameterizedTest(name = "driver={0}")
    @MethodSource(DRIVERS)
    @Tag(RoceInterop.DATAGRAM)
    void udPingPongIsServedByJava(String driver) throws Exception {
        server("ibv_ud_pingpong", driver, true);
    }
}
