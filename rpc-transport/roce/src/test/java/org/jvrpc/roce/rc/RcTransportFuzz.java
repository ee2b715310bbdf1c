package org.jvrpc.roce.rc;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jvrpc.roce.rc.RcNode.Wr;
import org.jvrpc.roce.rc.SendWork.Operation;
import org.jvrpc.roce.wire.Packet;
import org.jvrpc.testing.fuzz.FuzzCheck;

/**
 * Any packets at a QP that has a WR of each kind under way and two receives: {@code length:8 | from BTH to pad}, where
 * a length of 255 lets time pass. Nothing is thrown; no memory is written but what a key gives, a receive or a WR has;
 * WRs end at most once, in order; no more messages arrive than there are receives; what is sent is bounded by what
 * came.
 */
public final class RcTransportFuzz {

    private static final int MTU = 256;
    private static final int TIME = 255;
    /** What the key gives: the middle of the memory. */
    private static final int BYTES = 4096;
    private static final int OPEN_FROM = 1024;
    private static final int OPEN_TO = 3072;
    private static final int RECEIVES = 2;
    private static final int SEND_PSN = 0xfffffe;
    private static final int RECEIVE_PSN = 0xffffff;
    private static final int WORKS = 8;
    private static final int PACKETS_A_PACKET = 140;

    private RcTransportFuzz() {
    }

    /** Memory that only its middle can be reached of, and packets that go nowhere. */
    private static final class Host implements PacketSink {

        private final RcNode node = new RcNode(BYTES) {
            @Override
            public boolean allows(int key, long address, long length, int rights) {
                return address >= OPEN_FROM && address <= OPEN_TO && length <= OPEN_TO - address
                        && super.allows(key, address, length, rights);
            }
        };
        private final ByteBuffer buffer = ByteBuffer.allocate(MTU + 64);
        private int sent;

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public ByteBuffer buffer() {
            return buffer;
        }

        @Override
        public int offset() {
            return 0;
        }

        @Override
        public void send(int length) {
            FuzzCheck.that(length % 4 == 0 && length <= MTU + 60, "length=" + length);
            sent++;
        }
    }

    public static void fuzzerTestOneInput(byte[] input) {
        Host host = new Host();
        RcNode node = host.node;
        node.receive(RECEIVES, 2 * MTU);
        Arrays.fill(node.memory.array(), 0, OPEN_FROM, (byte) 0x55);
        for (int i = 0; i < WORKS; i++) {
            Operation operation = Operation.values()[i];
            node.post(operation == Operation.SEND ? Wr.send(0, 3) : operation.isAtomic()
                    ? Wr.atomic(operation, OPEN_TO + 600 + 8 * i, 0, 1, 2)
                    : Wr.of(operation, operation == Operation.READ ? OPEN_TO : 0, 600, 0));
        }
        RcAttributes attributes = RcAttributes.defaults().withMtu(MTU).withReads(2, 2).withRetries(1, 1, 1000);
        RcTransport transport = new RcTransport(node, node, node, host, attributes, WORKS, 5, SEND_PSN, RECEIVE_PSN);
        transport.progress(0);
        feed(input, host, transport);
        transport.fail();
        FuzzCheck.that(node.ended.size() == WORKS, "WRs ended=" + node.ended);
        for (int i = 0; i < WORKS; i++) {
            FuzzCheck.that(node.ended.get(i).wr() == i, "order: " + node.ended);
        }
        FuzzCheck.that(node.arrived.size() + node.failedReceives.size() <= RECEIVES, "arrived=" + node.arrived);
        for (int i = 0; i < OPEN_FROM; i++) {
            FuzzCheck.that(node.memory.get(i) == 0x55, "memory before what the key gives, at=" + i);
        }
    }

    private static void feed(byte[] input, Host host, RcTransport transport) {
        Packet packet = new Packet();
        long nowNs = 0;
        for (int at = 0; at < input.length;) {
            int length = input[at++] & 0xff;
            int before = host.sent;
            if (length == TIME) {
                nowNs += 600;
            } else {
                byte[] bytes = Arrays.copyOfRange(input, at, Math.min(at + length, input.length));
                at += length;
                if (packet.parse(ByteBuffer.wrap(bytes), 0, bytes.length) == Packet.Verdict.OK) {
                    transport.receive(packet, nowNs);
                }
            }
            transport.progress(nowNs);
            FuzzCheck.that(host.sent - before <= PACKETS_A_PACKET, "packets=" + (host.sent - before));
        }
    }
}
