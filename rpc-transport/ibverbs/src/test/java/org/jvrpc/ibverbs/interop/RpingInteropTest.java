package org.jvrpc.ibverbs.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.jvrpc.ibverbs.NeedsRdmaDevice;
import org.jvrpc.ibverbs.interop.exchange.Ends;
import org.jvrpc.ibverbs.interop.exchange.Line;
import org.jvrpc.ibverbs.interop.exchange.Tool;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WorkCompletion;
import org.jvrpc.verbs.contract.Deadline;

/**
 * {@code rping}, connected by the connection manager. Each ping: the client says where its text lies, the server READs
 * it and says so; the client says where it wants it, the server WRITEs it there and says so. Source: rdma-core 44,
 * librdmacm/examples/rping.c.
 */
@NeedsRdmaDevice
final class RpingInteropTest {

    private static final String DRIVERS = "org.jvrpc.ibverbs.interop.exchange.Ends#drivers";
    private static final int PINGS = 20;
    private static final int SIZE = 2000;
    private static final long CONNECT_NS = 5_000_000_000L;
    private static final long TURN_NS = 1_000_000;
    /** What both sides send: an address, a key, a length. Big-endian. */
    private static final int WHERE_BYTES = 16;
    private static final int WHERE_IN = 64;
    private static final int TEXT = 4096;
    private static final int ECHO = 8192;

    /** One side. Memory: what is sent at 0, what is received at 64, texts behind. */
    private static final class Side implements AutoCloseable {

        final Local local;
        final EventChannel channel;
        final QueuePair qp;
        private final PostReceive receive;
        private final PostSend send;
        private Tool tool;
        private int received;

        Side(String driver) {
            local = new Local(driver, 3 * TEXT);
            channel = local.keep(local.device.createChannel());
            qp = local.keep(local.pd.createQp(local.attributes()));
            qp.init();
            receive = qp.prepareReceive(ReceiveRequest.of(1, Sge.of(local.mr, WHERE_IN, WHERE_BYTES)));
            send = qp.prepareSend(SendRequest.send(2, Sge.of(local.mr, 0, WHERE_BYTES)).signalled());
            assertEquals(1, receive.execute());
        }

        /** Waits for a completion of a send; a message of the peer may come before it. */
        private void completed(WcOpcode opcode) {
            while (true) {
                WorkCompletion wc = local.await(tool);
                if (wc.opcode() == opcode) {
                    return;
                }
                message(wc);
            }
        }

        private void message(WorkCompletion wc) {
            assertEquals(WcOpcode.RECV, wc.opcode());
            assertEquals(WHERE_BYTES, wc.byteLength());
            received++;
        }

        private ByteBuffer awaitMessage() {
            if (received == 0) {
                message(local.await(tool));
            }
            received--;
            ByteBuffer where = ByteBuffer.wrap(local.bytes(WHERE_IN, WHERE_BYTES));
            assertEquals(1, receive.execute());
            return where;
        }

        private void say(long offset) {
            ByteBuffer where = ByteBuffer.allocate(WHERE_BYTES).putLong(local.mr.address() + offset)
                    .putInt(local.mr.rkey()).putInt(SIZE);
            local.put(0, where.array());
            assertEquals(1, send.execute());
            completed(WcOpcode.SEND);
        }

        /** READs or WRITEs where the peer said. */
        private void transfer(ByteBuffer where, boolean read, int length) {
            long address = where.getLong();
            int rkey = where.getInt();
            assertEquals(SIZE, where.getInt());
            Sge text = Sge.of(local.mr, TEXT, length);
            PostSend call = qp.prepareSend(read ? SendRequest.read(3, address, rkey, text).signalled()
                    : SendRequest.write(3, address, rkey, text).signalled());
            assertEquals(1, call.execute());
            completed(read ? WcOpcode.RDMA_READ : WcOpcode.RDMA_WRITE);
            call.free();
        }

        void serve(Tool peer) {
            tool = peer;
            for (int ping = 0; ping < PINGS; ping++) {
                local.put(TEXT, new byte[SIZE]);
                transfer(awaitMessage(), true, SIZE);
                assertArrayEquals(text(ping), local.bytes(TEXT, SIZE), "text of ping " + ping);
                say(TEXT);
                transfer(awaitMessage(), false, SIZE);
                say(TEXT);
            }
        }

        void ask(Tool peer) {
            tool = peer;
            for (int ping = 0; ping < PINGS; ping++) {
                local.put(TEXT, text(ping));
                local.put(ECHO, new byte[SIZE]);
                say(TEXT);
                awaitMessage();
                say(ECHO);
                awaitMessage();
                assertArrayEquals(text(ping), local.bytes(ECHO, SIZE), "echo of ping " + ping);
            }
        }

        /** Waits for the other side to hang up. */
        void awaitEnd(Connection connection) {
            Deadline.until("disconnect", () -> {
                channel.await(TURN_NS);
                return !connection.isConnected();
            });
        }

        @Override
        public void close() {
            local.close();
        }
    }

    /** What rping sends: a heading, then characters 65 to 122 in turn, beginning with another one each time. */
    private static byte[] text(int ping) {
        byte[] text = new byte[SIZE];
        byte[] heading = ("rdma-ping-" + ping + ": ").getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(heading, 0, text, 0, heading.length);
        for (int i = heading.length; i < SIZE - 1; i++) {
            text[i] = (byte) (65 + (ping + i - heading.length) % 58);
        }
        return text;
    }

    private static Tool tool(String port, String... role) {
        return Tool.start(Stream.concat(Stream.of("rping", "-V", "-v", "-S", Integer.toString(SIZE), "-C",
                Integer.toString(PINGS), "-p", port), Stream.of(role)).toArray(String[]::new));
    }

    private static ConnectionRequest request(Listener listener, EventChannel channel, Tool tool) {
        Deadline deadline = Deadline.usual();
        while (true) {
            ConnectionRequest request = listener.poll();
            if (request != null) {
                return request;
            }
            channel.await(TURN_NS);
            deadline.turn(tool::toString);
        }
    }

    @ParameterizedTest(name = "driver={0}")
    @MethodSource(DRIVERS)
    void rpingIsServedByJava(String driver) {
        int port = Line.freePort();
        try (Side side = new Side(driver);
                Listener listener = side.local.device.listen(Ends.near(port), side.channel);
                Tool tool = tool(Integer.toString(port), "-c", "-a", Ends.ADDRESS, "-I", Ends.PEER_ADDRESS);
                Connection connection = request(listener, side.channel, tool).accept(side.qp, new byte[0])) {
            side.serve(tool);
            side.awaitEnd(connection);
            String output = tool.finish(); // -V: the client compared each echo with its text
            for (int ping = 0; ping < PINGS; ping++) {
                assertTrue(output.contains("ping data: rdma-ping-" + ping + ": "), output);
            }
        }
    }

    @ParameterizedTest(name = "driver={0}")
    @MethodSource(DRIVERS)
    void rpingServesAJavaClient(String driver) {
        int port = Line.freePort();
        try (Tool tool = tool(Integer.toString(port), "-s", "-a", Ends.PEER_ADDRESS)) {
            Deadline deadline = Deadline.usual();
            while (!asked(driver, port, tool)) {
                assertTrue(tool.runsOn(), tool::toString);
                deadline.turn(tool::toString);
            }
            String output = tool.finish();
            for (int ping = 0; ping < PINGS; ping++) {
                assertTrue(output.contains("ping data: rdma-ping-" + ping + ": "), output);
            }
        }
    }

    /** Returns false when nobody listens yet; a QP that was refused is of no use any more. */
    private static boolean asked(String driver, int port, Tool tool) {
        try (Side side = new Side(driver);
                Connection connection = side.local.device.connect(
                        Ends.far(port), side.qp, new byte[0], side.channel, CONNECT_NS)) {
            side.ask(tool);
            assertTrue(connection.isConnected());
            return true;
        } catch (ConnectionException e) {
            return false;
        }
    }
}
