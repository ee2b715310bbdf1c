package org.jvrpc.fabric.replay;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jvrpc.roce.rc.RcTransport;
import org.jvrpc.roce.rc.ReceiveQueue;
import org.jvrpc.roce.rc.RemoteMemory;
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

    private static final int MOST_GIVEN = 1 << 16;

    private final Outgoing out = new Outgoing();
    private final Nowhere receives = new Nowhere();
    private final Memory memory = new Memory();
    private final Packet packet = new Packet();
    private final RcTransport transport;
    private final int side;
    private final int firstPsn;
    private final Notes notes;
    /** The last RNR NAK of a PSN, by its frame: what was sent before was lost, or had no receive. */
    private final Map<Integer, Integer> notReady = new HashMap<>();
    private final Set<Integer> refused = new HashSet<>();
    /** Answers with data, the latest, by their PSNs. */
    private final Map<Integer, CapturedPacket> given = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, CapturedPacket> eldest) {
            return size() > MOST_GIVEN;
        }
    };
    /** What came since a packet that had no receive, it among them. */
    private final List<CapturedPacket> unsettled = new ArrayList<>();
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
        transport = new RcTransport(new NoData(), receives, memory, out, Sender.attributes(flow.mtu()), 1, 0, 0,
                Math.max(0, firstPsn));
        for (CapturedPacket captured : flow.all()) {
            if (flow.side(captured) == side && captured.opcode() == Opcode.ACKNOWLEDGE) {
                if (captured.isRnrNak()) {
                    notReady.put(captured.psn(), captured.number());
                } else if (captured.syndrome() == Aeth.NAK_ACCESS) {
                    refused.add(captured.psn());
                }
            }
        }
    }

    /** A request was captured. */
    void receive(CapturedPacket captured, int mtu) {
        if (firstPsn < 0 || Psn.difference(captured.psn(), firstPsn) < 0) {
            return;
        }
        begun = true;
        int last = Psn.plus(captured.endPsn(mtu), -1);
        highest = Psn.difference(last, highest) > 0 ? last : highest;
        feed(captured);
    }

    private void feed(CapturedPacket captured) {
        receives.ready = !Opcode.takesReceive(captured.opcode())
                || notReady.getOrDefault(captured.psn(), 0) < captured.number();
        boolean refuses = !receives.ready && transport.expectedPsn() == captured.psn();
        if ((refuses || !unsettled.isEmpty()) && unsettled.size() < MOST_GIVEN) {
            unsettled.add(captured);
        }
        memory.refuses = refused.contains(captured.psn());
        transport.receive(captured.parse(packet), captured.timeNs());
        out.allow(Long.MAX_VALUE);
        transport.progress(captured.timeNs());
        if (!refuses && !unsettled.isEmpty() && transport.expectedPsn() != unsettled.get(0).psn()) {
            unsettled.clear();
        }
    }

    /** Theirs took what ours has no receive for: an earlier copy of it than that behind the last RNR NAK. */
    private void settle() {
        List<CapturedPacket> again = new ArrayList<>(unsettled);
        unsettled.clear();
        notReady.remove(again.get(0).psn());
        again.forEach(this::feed);
    }

    /** A response was captured; says whether it is what would have been answered. */
    void answered(CapturedPacket captured) {
        if (!begun) {
            return;
        }
        answers++;
        boolean positive = captured.opcode() != Opcode.ACKNOWLEDGE || Aeth.isAck(captured.syndrome());
        while (positive && !unsettled.isEmpty() && Psn.difference(captured.psn(), unsettled.get(0).psn()) >= 0) {
            settle();
        }
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

    /** Answers come again when they are asked for again, which may cross those that are under way. */
    private void data(CapturedPacket captured) {
        transport.progress(captured.timeNs()); // there may be room for more by now
        for (Iterator<CapturedPacket> all = out.all().iterator(); all.hasNext();) {
            CapturedPacket ours = all.next();
            if (ours.opcode() != Opcode.ACKNOWLEDGE) {
                all.remove();
                given.put(ours.psn(), ours);
            } else if (refuses(ours, captured)) {
                all.remove();
                notes.difference(captured, side, "answers with " + captured.words(), "with " + ours.words());
            }
        }
        CapturedPacket ours = given.get(captured.psn());
        if (ours == null || ours.opcode() != captured.opcode()) {
            notes.difference(captured, side, "answers with " + captured.words(),
                    ours == null ? "does not" : "with " + ours.words());
            return;
        }
        if (ours.length() != captured.length()) {
            notes.difference(captured, side, captured.words() + " has " + captured.length() + " bytes",
                    "has " + ours.length());
        }
        count(captured, ours);
    }

    /** Returns true for a NAK of what ours has not taken since: one of theirs may be lost before the capture. */
    private boolean refuses(CapturedPacket ours, CapturedPacket captured) {
        return ours.opcode() == Opcode.ACKNOWLEDGE && !Aeth.isAck(ours.syndrome())
                && Psn.difference(captured.psn(), ours.psn()) >= 0
                && Psn.difference(transport.expectedPsn(), ours.psn()) <= 0;
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
            if (refuses(ours, captured)) {
                notes.difference(captured, side, "answers with " + captured.words(), "with " + ours.words());
            } else if (ours.psn() == captured.psn() && Aeth.isAck(ours.syndrome())) {
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
        if (captured.isRnrNak() && transport.expectedPsn() == captured.psn()) {
            return; // ours has said so already
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
