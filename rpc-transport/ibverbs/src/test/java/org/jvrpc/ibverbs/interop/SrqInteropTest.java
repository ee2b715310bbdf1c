package org.jvrpc.ibverbs.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.jvrpc.ibverbs.NeedsRdmaDevice;
import org.jvrpc.ibverbs.core.Gid;
import org.jvrpc.ibverbs.interop.exchange.Ends;
import org.jvrpc.ibverbs.interop.exchange.Line;
import org.jvrpc.ibverbs.interop.exchange.Place;
import org.jvrpc.ibverbs.interop.exchange.Seeds;
import org.jvrpc.ibverbs.interop.exchange.Tool;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.SharedReceiveQueue;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WorkCompletion;

/** {@code ibv_srq_pingpong}, as client and as server: several QPs here and there, each side with one SRQ. */
@NeedsRdmaDevice
final class SrqInteropTest {

    private static final int ITERATIONS = 200;
    private static final int BYTES = 1500;
    private static final int RECEIVES = 32;
    /** The tool tells as many places as it could have QPs, {@code MAX_QP}. */
    private static final int PLACES = 256;
    private static final Place NOWHERE = new Place(0, 0, 0, new Gid(new byte[Gid.BYTES]));

    /** Plays on all QPs at once. Every message has the same contents, since the tool has one buffer for all of them. */
    private static final class Player implements AutoCloseable {

        private final Local local;
        private final SharedReceiveQueue srq;
        private final PostReceive receive;
        private final List<QueuePair> qps = new ArrayList<>();
        private final Map<Integer, PostSend> sends = new HashMap<>();
        /** By QP number: how many of its last send and its next message are still to come. */
        private final Map<Integer, Integer> pending = new HashMap<>();
        /** QPs that sent something. */
        private final Set<Integer> heard = new HashSet<>();
        private final byte[] message = new byte[BYTES];

        Player(String driver, int count) {
            local = new Local(driver, 1 << 18);
            srq = local.keep(local.pd.createSrq(new SharedReceiveQueueAttributes(RECEIVES, 1)));
            receive = srq.prepareReceive(ReceiveRequest.of(0, Sge.of(local.mr, Echo.IN, BYTES)));
            for (int i = 0; i < RECEIVES; i++) {
                post(i);
            }
            for (int i = 0; i < count; i++) {
                QueuePair qp = local.keep(local.pd.createQp(local.attributes().sharedReceive(srq)));
                qp.init();
                qps.add(qp);
            }
            new SplittableRandom(Seeds.next("ibv_srq_pingpong")).nextBytes(message);
            message[0] = 0; // what the tool checks with -c
            local.put(0, message);
        }

        private void post(long slot) {
            local.put(Echo.IN + slot * BYTES, new byte[BYTES]);
            assertEquals(1, receive.wrId(0, slot).offset(0, 0, slot * BYTES).execute());
        }

        void connect(List<Place> remote) {
            for (int i = 0; i < qps.size(); i++) {
                QueuePair qp = qps.get(i);
                qp.connect(remote.get(i).endpoint());
                sends.put(qp.number(), qp.prepareSend(
                        SendRequest.send(1000, Sge.of(local.mr, 0, BYTES)).signalled()));
                pending.put(qp.number(), 1);
            }
        }

        List<Place> places() {
            List<Place> places = new ArrayList<>();
            for (int i = 0; i < PLACES; i++) {
                places.add(i < qps.size() ? Place.of(qps.get(i)) : NOWHERE);
            }
            return places;
        }

        private void send(int qpn) {
            assertEquals(1, sends.get(qpn).execute());
            pending.put(qpn, 2);
        }

        /** As the tool does it: a QP sends again when its send is complete and its answer is there. */
        void play(boolean first, Tool tool) {
            int sent = 0;
            int received = 0;
            if (first) {
                qps.forEach(qp -> send(qp.number()));
            }
            while (sent < ITERATIONS || received < ITERATIONS) {
                WorkCompletion wc = local.awaitUnlessGone(tool);
                if (wc == null) {
                    assertTrue(received >= ITERATIONS, "messages=" + received);
                    return;
                }
                int qpn = wc.qpNumber();
                if (wc.opcode() == WcOpcode.SEND) {
                    sent++;
                } else {
                    received(wc, !heard.add(qpn) || first, received++);
                }
                if (pending.merge(qpn, -1, Integer::sum) == 0 && sent < ITERATIONS) {
                    send(qpn);
                }
            }
        }

        /** @param answer false for what the tool's buffer began with, which a client sends first on each QP */
        private void received(WorkCompletion wc, boolean answer, int number) {
            assertEquals(BYTES, wc.byteLength());
            long slot = wc.wrId();
            if (answer) {
                assertArrayEquals(message, local.bytes(Echo.IN + slot * BYTES, BYTES), "message " + number);
            }
            post(slot);
        }

        @Override
        public void close() {
            local.close();
        }
    }

    private static Stream<Object[]> cases() {
        return Ends.drivers(1, 8);
    }

    private static Tool tool(int port, int qps, String... host) {
        List<String> command = new ArrayList<>(List.of("ibv_srq_pingpong", "-d", Ends.PEER_NAME, "-g",
                Ends.PEER_GID, "-c", "-e", "-p", Integer.toString(port), "-q", Integer.toString(qps), "-n",
                Integer.toString(ITERATIONS), "-s", Integer.toString(BYTES)));
        command.addAll(List.of(host));
        return Tool.start(command.toArray(String[]::new));
    }

    private static void wellDone(String output) {
        assertFalse(output.contains("invalid data"), output);
        assertTrue(output.contains(ITERATIONS + " iters in "), output);
    }

    @ParameterizedTest(name = "driver={0} qps={1}")
    @MethodSource("cases")
    void srqPingPongServesAJavaClient(String driver, int qps) {
        int port = Line.freePort();
        try (Player player = new Player(driver, qps);
                Tool tool = tool(port, qps);
                Line line = Line.connect(Ends.HOST, Ends.PEER_HOST, port, tool)) {
            player.connect(Echo.askServer(line, player.places()));
            player.play(true, tool);
            wellDone(tool.finish());
        }
    }

    @ParameterizedTest(name = "driver={0} qps={1}")
    @MethodSource("cases")
    void srqPingPongIsServedByJava(String driver, int qps) throws Exception {
        try (Player player = new Player(driver, qps);
                ServerSocket server = Line.listen(Ends.HOST);
                Tool tool = tool(server.getLocalPort(), qps, Ends.HOST);
                Line line = Line.accept(server)) {
            player.connect(Echo.hearClient(line, PLACES));
            Echo.answerClient(line, player.places());
            player.play(false, tool);
            wellDone(tool.finish());
        }
    }
}
