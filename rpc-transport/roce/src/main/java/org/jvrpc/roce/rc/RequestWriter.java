package org.jvrpc.roce.rc;

import java.nio.ByteBuffer;
import org.jvrpc.roce.wire.AtomicEth;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Pad;
import org.jvrpc.roce.wire.Psn;
import org.jvrpc.roce.wire.Reth;
import org.jvrpc.verbs.WcStatus;

/** Builds the packets of requests. */
final class RequestWriter {

    private final PacketSink sink;
    private final SendQueue queue;
    private final int mtu;
    private final int ackEvery;
    private final boolean unaskedAcks;
    private final int qpn;
    private int sinceAckRequest;

    RequestWriter(PacketSink sink, SendQueue queue, RcAttributes attributes, int qpn) {
        this.sink = sink;
        this.queue = queue;
        this.mtu = attributes.mtu();
        this.ackEvery = attributes.ackEvery();
        this.unaskedAcks = attributes.unaskedAcks();
        this.qpn = qpn;
    }

    /**
     * Sends the packet of a WR that has a PSN. An acknowledgement is asked for at the end of each message, but for one
     * that nobody waits for and that the peer acknowledges unasked, and after a number of packets.
     *
     * @param readEnd the PSN behind the last that a READ asks for now
     * @param full nothing can follow it until something is acknowledged
     * @return {@link WcStatus#SUCCESS}, or how the WR ends: nothing was sent then
     */
    WcStatus send(SendWork work, int psn, int readEnd, boolean full) {
        return switch (work.operation()) {
            case READ -> read(work, psn, readEnd);
            case COMPARE_SWAP, FETCH_ADD -> atomic(work, psn);
            default -> piece(work, psn, full);
        };
    }

    /** Has the next packet ask for an acknowledgement: something was lost. */
    void askNext() {
        sinceAckRequest = ackEvery;
    }

    private WcStatus piece(SendWork work, int psn, boolean full) {
        long from = (long) Psn.difference(psn, work.firstPsn()) * mtu;
        int length = (int) Math.min(mtu, work.length() - from);
        boolean ends = from + length == work.length();
        int opcode = work.operation().opcode(from == 0, ends);
        ByteBuffer packet = sink.buffer();
        int at = sink.offset();
        int payload = at + Opcode.headerBytes(opcode);
        if (length > 0) {
            WcStatus gathered = queue.gather(work, from, packet, payload, length);
            if (gathered != WcStatus.SUCCESS) {
                return gathered;
            }
        }
        boolean asks = ends && !(unaskedAcks && work.isUnsignalled());
        boolean ask = asks || full || ++sinceAckRequest >= ackEvery;
        if (ask) {
            sinceAckRequest = 0;
        }
        int pad = Pad.write(packet, payload + length, length);
        Bth.write(packet, at, opcode, pad, ends && work.isSolicited(), ask, qpn, psn);
        if (work.operation().isWrite() && from == 0) {
            Reth.write(packet, at + Bth.BYTES, work.address(), work.rkey(), (int) work.length());
        }
        if (Opcode.hasImmediate(opcode) || Opcode.isInvalidate(opcode)) {
            packet.putInt(payload - Integer.BYTES, work.word());
        }
        sink.send(payload + length + pad - at);
        return WcStatus.SUCCESS;
    }

    private WcStatus read(SendWork work, int psn, int end) {
        long from = (long) Psn.difference(psn, work.firstPsn()) * mtu;
        long length = Math.min(work.length() - from, (long) Psn.difference(end, psn) * mtu);
        ByteBuffer packet = sink.buffer();
        int at = sink.offset();
        Bth.write(packet, at, Opcode.READ_REQUEST, 0, false, true, qpn, psn);
        Reth.write(packet, at + Bth.BYTES, work.address() + from, work.rkey(), (int) length);
        sinceAckRequest = 0;
        sink.send(Bth.BYTES + Reth.BYTES);
        return WcStatus.SUCCESS;
    }

    private WcStatus atomic(SendWork work, int psn) {
        ByteBuffer packet = sink.buffer();
        int at = sink.offset();
        Bth.write(packet, at, work.operation().opcode(true, true), 0, false, true, qpn, psn);
        AtomicEth.write(packet, at + Bth.BYTES, work.address(), work.rkey(), work.swapOrAdd(), work.compare());
        sinceAckRequest = 0;
        sink.send(Bth.BYTES + AtomicEth.BYTES);
        return WcStatus.SUCCESS;
    }
}
