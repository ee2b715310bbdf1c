package org.jvrpc.roce.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.roce.rc.RcNode.Ended;
import org.jvrpc.roce.wire.Aeth;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.verbs.WcStatus;

/** Two QPs, the first of which is tested, and what tests of both kinds of faults do with them. */
abstract class RcPair {

    static final int MTU = 256;
    static final int BYTES = 1 << 16;
    static final long TIMEOUT_NS = 50_000;
    static final int STEPS = 10_000;

    final RcAttributes attributes =
            RcAttributes.defaults().withMtu(MTU).withRetries(2, 2, TIMEOUT_NS).withMinRnrTimer(20_000);
    RcNetwork net = new RcNetwork(1, attributes, BYTES, 100);

    void with(RcAttributes other) {
        net = new RcNetwork(1, other, BYTES, 100);
    }

    void run() {
        assertTrue(net.run(STEPS), "it never ends");
    }

    void assertEnded(WcStatus... statuses) {
        List<Ended> ended = new ArrayList<>();
        for (WcStatus status : statuses) {
            ended.add(new Ended(ended.size(), status));
        }
        assertEquals(ended, net.a.ended);
    }

    /** Hands a request to B that nobody sent, of zeros behind its BTH but for the key. */
    void request(int psn, int opcode, int bytes) {
        ByteBuffer packet = ByteBuffer.allocate(Bth.BYTES + bytes);
        Bth.write(packet, 0, opcode, 0, false, true, RcNetwork.QPN_B, psn);
        if (bytes >= 16) {
            packet.putInt(Bth.BYTES + 8, RcNode.RKEY);
        }
        net.deliver(net.b, packet.array());
    }

    void acknowledge(int psn, int syndrome) {
        ByteBuffer packet = ByteBuffer.allocate(Bth.BYTES + Aeth.BYTES);
        Bth.write(packet, 0, Opcode.ACKNOWLEDGE, 0, false, false, RcNetwork.QPN_A, psn);
        Aeth.write(packet, Bth.BYTES, syndrome, 1);
        net.deliver(net.a, packet.array());
    }
}
