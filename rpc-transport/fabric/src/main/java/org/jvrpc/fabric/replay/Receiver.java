package org.jvrpc.fabric.replay;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jvrpc.roce.rc.RcTransport;
import org.jvrpc.roce.rc.ReceiveQueue;
import org.jvrpc.roce.rc.RemoteMemory;
import org.jvrpc.roce.rc.SendQueue;
import org.jvrpc.roce.rc.SendWork;
import org.jvrpc.roce.wire.Aeth;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Packet;
import org.jvrpc.roce.wire.Psn;
import org.jvrpc.verbs.WcStatus;

/**
 * The responder of a side. It takes the requests that were captured; what it answers should be what was answered. What
 * a capture does not show, receives and keys, is as the captured answers say.
 */
final class Receiver {

    /** Takes nothing: for a machine that only sends. */
    static final class Nowhere implements ReceiveQueue {

        private boolean ready = true;
        private long messages;

        @Override
        public boolean take() {
            return ready;
        }

        @Override
        public WcStatus place(long from, ByteBuffer packet, int at, int length, boolean last) {
            return WcStatus.SUCCESS;
        }

        @Override
        public boolean complete(Arrival kind, long length, int word) {
            messages++;
            return true;
        }

        @Override
        public void fail(WcStatus status) {
        }

        @Override
        public void failed() {
        }
    }

    /** All memory there is, of which nothing is kept. */
    static final class Memory implements RemoteMemory {

        private boolean refuses;

        @Override
        public boolean allows(int rkey, long address, long length, int access) {
            return !refuses;
        }

        @Override
        public boolean write(int rkey, long address, ByteBuffer packet, int at, int length) {
            return true;
        }

        @Override
        public boolean read(int rkey, long address, ByteBuffer packet, int at, int length) {
            return true;
        }

        @Override
        public long compareAndSwap(int rkey, long address, long compare, long swap) {
            return 0;
        }

        @Override
        public long fetchAndAdd(int rkey, long address, long add) {
            return 0;
        }

        @Override
        public boolean invalidate(int rkey) {
            return true;
        }
    }

    /** Sends nothing: for a machine that only answers. */
    private static final class Idle implements SendQueue {

        @Override
        public boolean fetch(SendWork work) {
            return false;
        }

        @Override
        public WcStatus gather(SendWork work, long from, ByteBuffer packet, int at, int length) {
            return WcStatus.GENERAL_ERR;
        }

        @Override
        public WcStatus scatter(SendWork work, long from, ByteBuffer packet, int at, int length) {
            return WcStatus.GENERAL_ERR;
        }

        @Override
        public WcStatus store(SendWork work, long found) {
            return WcStatus.GENERAL_ERR;
        }

        @Override
        public void complete(SendWork work, WcStatus status) {
        }

        @Override
        public void failed() {
        }
    }

    private final Outgoing out = new Outgoing();
    private final Nowhere receives = new Nowhere();
    private final Memory memory = new Memory();
    private final Packet packet = new Packet();
    private final RcTransport transport;
    private final int side;
    private final int firstPsn;
    private final Notes notes;
    private final Map<Integer, Integer> notReady = new HashMap<>();
    private final Map<Integer, Integer> refused = new HashMap<>();
    private boolean begun;
    private int highest;
    private int msnAhead;
    private boolean msnKnown;
    private int answers;

    /**
     * Makes the responder of a side.
     *
     * @param firstPsn of the other side's requests
     */
    Receiver(Flow flow, int side, int firstPsn, Notes notes) {
        this.side = side;
        this.firstPsn = firstPsn;
        this.notes = notes;
        highest = Psn.plus(firstPsn, -1);
        transport = new RcTransport(new Idle(), receives, memory, out, Sender.attributes(flow.mtu()), 1, 0, 0,
                Math.max(0, firstPsn));
        for (CapturedPacket captured : flow.all()) {
            if (flow.side(captured) == side && captured.opcode() == Opcode.ACKNOWLEDGE) {
                if (Aeth.isRnrNak(captured.syndrome())) {
                    notReady.merge(captured.psn(), 1, Integer::sum);
                } else if (captured.syndrome() == Aeth.NAK_ACCESS) {
                    refused.merge(captured.psn(), 1, Integer::sum);
                }
            }
        }
    }

    /** A request was captured. */
    void receive(CapturedPacket captured, int mtu) {
        begun |= captured.psn() == firstPsn;
        if (!begun) {
            return;
        }
        int last = Psn.plus(captured.endPsn(mtu), -1);
        highest = Psn.difference(last, highest) > 0 ? last : highest;
        receives.ready = !Opcode.takesReceive(captured.opcode()) || !takes(notReady, captured.psn());
        memory.refuses = refused.containsKey(captured.psn());
        transport.receive(captured.parse(packet), captured.timeNs());
        out.allow(Long.MAX_VALUE);
        transport.progress(captured.timeNs());
    }

    private static boolean takes(Map<Integer, Integer> counts, int psn) {
        Integer count = counts.remove(psn);
        if (count != null && count > 1) {
            counts.put(psn, count - 1);
        }
        return count != null;
    }

    /** A response was captured; says whether it is what would have been answered. */
    void answered(CapturedPacket captured) {
        if (!begun) {
            return;
        }
        answers++;
        if (Psn.difference(captured.psn(), highest) > 0) {
            notes.difference(captured, side, captured.words() + " answers what was not captured", "waits for it");
            return;
        }
        if (captured.opcode() != Opcode.ACKNOWLEDGE) {
            data(captured);
        } else if (Aeth.isAck(captured.syndrome())) {
            acknowledgement(captured);
        } else {
            nak(captured);
        }
    }

    /** What ours sent before the same answer is not in the capture: it was lost before, or is not theirs to send. */
    private void data(CapturedPacket captured) {
        transport.progress(captured.timeNs()); // there may be room for more by now
        boolean there = out.all().stream().anyMatch(
                ours -> ours.opcode() == captured.opcode() && ours.psn() == captured.psn());
        while (there) {
            CapturedPacket ours = out.poll();
            if (ours.opcode() == Opcode.ACKNOWLEDGE && !Aeth.isAck(ours.syndrome())) {
                notes.difference(captured, side, "answers with " + captured.words(), "with " + ours.words());
            }
            if (ours.opcode() == captured.opcode() && ours.psn() == captured.psn()) {
                if (ours.length() != captured.length()) {
                    notes.difference(captured, side, captured.words() + " has " + captured.length() + " bytes",
                            "has " + ours.length());
                }
                count(captured, ours);
                return;
            }
        }
        notes.difference(captured, side, "answers with " + captured.words(), "does not");
    }

    private void count(CapturedPacket captured, CapturedPacket ours) {
        if (!Opcode.hasAeth(captured.opcode())) {
            return;
        }
        int ahead = Psn.difference(Aeth.msn(captured.bytes(), 12), Aeth.msn(ours.bytes(), 12));
        if (msnKnown && ahead != msnAhead) {
            notes.difference(captured, side, captured.words() + " has MSN " + Aeth.msn(captured.bytes(), 12),
                    "has " + (Aeth.msn(ours.bytes(), 12) + msnAhead));
        }
        msnKnown = true;
        msnAhead = ahead;
    }

    /** One acknowledgement of theirs may be several of ours, and the other way round. */
    private void acknowledgement(CapturedPacket captured) {
        for (Iterator<CapturedPacket> all = out.all().iterator(); all.hasNext();) {
            CapturedPacket ours = all.next();
            if (ours.opcode() != Opcode.ACKNOWLEDGE || Psn.difference(ours.psn(), captured.psn()) > 0) {
                continue;
            }
            all.remove();
            if (!Aeth.isAck(ours.syndrome())) {
                notes.difference(captured, side, "answers with " + captured.words(), "with " + ours.words());
            } else if (ours.psn() == captured.psn()) {
                count(captured, ours);
            }
        }
    }

    private void nak(CapturedPacket captured) {
        for (Iterator<CapturedPacket> all = out.all().iterator(); all.hasNext();) {
            CapturedPacket ours = all.next();
            if (ours.opcode() == Opcode.ACKNOWLEDGE && ours.psn() == captured.psn()
                    && CapturedPacket.name(ours.opcode(), ours.syndrome())
                            .equals(CapturedPacket.name(captured.opcode(), captured.syndrome()))) {
                all.remove();
                count(captured, ours);
                return;
            }
        }
        if (captured.syndrome() == Aeth.NAK_SEQUENCE) {
            notes.event(captured,
                    captured.words() + ": packets from there on were lost behind the place of the capture");
        } else {
            notes.difference(captured, side, "answers with " + captured.words(), "takes it");
        }
    }

    String state() {
        return "received=" + transport.counters().receivedPackets() + " messages=" + receives.messages
                + " duplicates=" + transport.counters().duplicateRequests() + " gaps="
                + transport.counters().outOfSequence() + " answers=" + answers;
    }
}
