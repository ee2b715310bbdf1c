package org.jvrpc.roce.ud;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jvrpc.roce.ud.UdResponder.Outcome;
import org.jvrpc.roce.wire.Packet;
import org.jvrpc.testing.fuzz.FuzzCheck;

/**
 * Any packets at a QP with receives of several lengths: {@code length:16 | from BTH to pad}. Nothing is thrown; no
 * memory is written but that of receives; a packet without the key, over the MTU, or over its receive is not
 * delivered, any other is, once, as it came; each has one outcome.
 */
public final class UdResponderFuzz {

    private static final int MTU = 256;
    private static final int QKEY = 0x11223344;
    private static final int SLOT = 512;
    private static final int[] RECEIVES = {Grh.BYTES + MTU + 8, Grh.BYTES + 8, 88, Grh.BYTES, SLOT - 8};
    private static final byte FILL = 0x55;
    private static final int UD = 0x64;
    private static final int KEY_AT = 12;
    private static final int HEADERS = 20;

    private UdResponderFuzz() {
    }

    public static void fuzzerTestOneInput(byte[] input) {
        Receives receives = new Receives(SLOT * RECEIVES.length);
        Arrays.fill(receives.memory.array(), FILL);
        for (int i = 0; i < RECEIVES.length; i++) {
            receives.post(i * SLOT, RECEIVES[i]);
        }
        UdResponder responder = new UdResponder(receives, QKEY, MTU);
        ByteBuffer grh = ByteBuffer.allocate(Grh.BYTES);
        Packet packet = new Packet();
        int offered = 0;
        for (int at = 0; at + 2 <= input.length;) {
            int length = (input[at] & 0xff) << 8 | input[at + 1] & 0xff;
            byte[] bytes = Arrays.copyOfRange(input, at + 2, Math.min(at + 2 + length, input.length));
            at += 2 + length;
            if (packet.parse(ByteBuffer.wrap(bytes), 0, bytes.length) == Packet.Verdict.OK) {
                offered++;
                offer(responder, receives, packet, bytes, grh);
            }
        }
        long outcomes = Arrays.stream(Outcome.values()).mapToLong(responder::count).sum();
        FuzzCheck.that(outcomes == offered, "outcomes=" + outcomes + " offered=" + offered);
        FuzzCheck.that(responder.count(Outcome.DELIVERED) == receives.arrived.size(), "arrived=" + receives.arrived);
        for (int i = 0; i < RECEIVES.length; i++) {
            int used = i < receives.arrived.size() ? receives.arrived.get(i).length() : 0;
            for (int b = i * SLOT + used; b < (i + 1) * SLOT; b++) {
                FuzzCheck.that(receives.memory.get(b) == FILL, "memory outside of datagrams, at=" + b);
            }
        }
    }

    private static void offer(UdResponder responder, Receives receives, Packet packet, byte[] bytes, ByteBuffer grh) {
        int before = receives.arrived.size();
        long capacity = receives.capacity();
        Outcome outcome = responder.receive(packet, grh);
        boolean immediate = (bytes[0] & 0xff) == UD + 1;
        int headers = immediate ? HEADERS + 4 : HEADERS;
        int payload = bytes.length - headers - (bytes[1] >> 4 & 3);
        boolean expected = ((bytes[0] & 0xff) == UD || immediate)
                && ByteBuffer.wrap(bytes).getInt(KEY_AT) == QKEY && payload <= MTU && capacity >= Grh.BYTES + payload;
        FuzzCheck.that(expected == (outcome == Outcome.DELIVERED), "outcome=" + outcome + " payload=" + payload);
        FuzzCheck.that(receives.arrived.size() - before == (expected ? 1 : 0), "arrived=" + receives.arrived);
        if (expected) {
            Receives.Arrived last = receives.arrived.get(before);
            ByteBuffer placed = receives.memory.slice(last.at() + Grh.BYTES, payload);
            FuzzCheck.that(placed.equals(ByteBuffer.wrap(bytes, headers, payload).slice()), "payload");
            FuzzCheck.that(last.length() == Grh.BYTES + payload && last.hasImmediate() == immediate, "" + last);
        }
    }
}
