package org.jvrpc.roce.ud;

import java.nio.ByteBuffer;
import org.jvrpc.roce.wire.Deth;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Packet;
import org.jvrpc.verbs.WcStatus;

/** Takes the datagrams of a QP. */
public final class UdResponder {

    /** What became of a packet, in the order in which it is looked at. */
    public enum Outcome {
        /** It is no datagram. */
        OPCODE,
        /** Its Q_Key is another. */
        QKEY,
        /** Its payload is longer than the MTU. */
        MTU,
        /** No receive was posted. */
        NO_RECEIVE,
        /** The receive is too short. */
        TOO_LONG,
        /** A key of the receive refuses it: the receive failed, and the QP. */
        NO_ACCESS,
        /** There is no room for its completion. */
        NO_CQE,
        /** It is in a receive, which is complete. */
        DELIVERED
    }

    private static final int OUTCOMES = Outcome.values().length;

    private final UdReceiveQueue receives;
    private final int qkey;
    private final int mtu;
    private final long[] counts = new long[OUTCOMES];

    /** @param mtu the most bytes of a payload */
    public UdResponder(UdReceiveQueue receives, int qkey, int mtu) {
        this.receives = receives;
        this.qkey = qkey;
        this.mtu = mtu;
    }

    /**
     * Delivers a packet whose ICRC is right, or drops it.
     *
     * @param grh has, at 0, what lies before the datagram: see {@link Grh}
     */
    public Outcome receive(Packet packet, ByteBuffer grh) {
        Outcome outcome = take(packet, grh);
        counts[outcome.ordinal()]++;
        return outcome;
    }

    private Outcome take(Packet packet, ByteBuffer grh) {
        if (!Opcode.isUd(packet.opcode())) {
            return Outcome.OPCODE;
        }
        if (Deth.qkey(packet.buffer(), packet.extension()) != qkey) {
            return Outcome.QKEY;
        }
        if (packet.length() > mtu) {
            return Outcome.MTU;
        }
        long capacity = receives.capacity();
        if (capacity < 0) {
            return Outcome.NO_RECEIVE;
        }
        return Grh.BYTES + packet.length() > capacity ? Outcome.TOO_LONG : deliver(packet, grh);
    }

    private Outcome deliver(Packet packet, ByteBuffer grh) {
        WcStatus status = receives.place(0, grh, 0, Grh.BYTES);
        if (status == WcStatus.SUCCESS && packet.length() > 0) {
            status = receives.place(Grh.BYTES, packet.buffer(), packet.payload(), packet.length());
        }
        if (status != WcStatus.SUCCESS) {
            receives.fail(status);
            return Outcome.NO_ACCESS;
        }
        boolean hasImmediate = Opcode.hasImmediate(packet.opcode());
        int sourceQpn = Deth.sourceQpn(packet.buffer(), packet.extension());
        return receives.complete(Grh.BYTES + packet.length(), hasImmediate, hasImmediate ? packet.word() : 0,
                sourceQpn) ? Outcome.DELIVERED : Outcome.NO_CQE;
    }

    /** Returns how many packets had an outcome. */
    public long count(Outcome outcome) {
        return counts[outcome.ordinal()];
    }
}
