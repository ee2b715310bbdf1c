package org.jvrpc.fabric.replay;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.RcCounters;
import org.jvrpc.roce.rc.RcTransport;
import org.jvrpc.roce.rc.SendWork;
import org.jvrpc.roce.wire.Aeth;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Packet;
import org.jvrpc.roce.wire.Psn;
import org.jvrpc.verbs.WcStatus;

/**
 * The requester of a side. It has the messages that were captured and sends a packet whenever one was captured; so what
 * it sends should be what was sent. A response that was captured may be lost behind the place of the capture, or be
 * late: it is taken when what was sent next follows from it, and not before.
 */
final class Sender extends NoData {

    private static final int WORKS = 1 << 12;
    private static final int WINDOW = 1 << 22;
    private static final int MOST_READS = 1 << 10;
    private static final int MOST_SKIPPED = 1 << 16;
    /** Longer than any capture, 13 days: a time-out happens when it is seen to have. */
    private static final long TIMEOUT_NS = 1L << 50;

    private final Message.Script script;
    private final Outgoing out = new Outgoing();
    private final Packet packet = new Packet();
    private final RcTransport transport;
    private final int side;
    private final int mtu;
    private final Notes notes;
    /** Responses that this side may or may not have. */
    private final ArrayDeque<CapturedPacket> pending = new ArrayDeque<>();
    /** The last request that has a PSN. */
    private final Map<Integer, CapturedPacket> lastSeen = new HashMap<>();
    /** A NAK tells that packets were lost before the place of the capture. */
    private final boolean losesBefore;
    private int known;
    private int fetched;
    private int ended;
    private WcStatus failure = WcStatus.SUCCESS;
    private int sent;
    private int sentAgain;
    /** The PSN behind all that was sent, and that behind what was sent last. */
    private int end;
    private int cursor;
    /** All before it was answered. */
    private int floor;
    /** All time-outs that were seen until now. */
    private long timeoutsNs;

    Sender(Flow flow, int side, Message.Script script, Notes notes) {
        this.script = script;
        this.side = side;
        this.notes = notes;
        mtu = flow.mtu();
        end = script.firstPsn();
        cursor = end;
        floor = end;
        losesBefore = look(flow);
        transport = new RcTransport(this, new Receiver.Nowhere(), new Receiver.Memory(), out, attributes(mtu),
                WORKS, 0, Math.max(0, script.firstPsn()), 0);
    }

    private boolean look(Flow flow) {
        boolean loses = false;
        for (CapturedPacket captured : flow.all()) {
            boolean own = flow.side(captured) == side;
            if (own && !captured.isResponse()) {
                lastSeen.put(captured.psn(), captured);
            } else if (!own && captured.isNakOfSequence()) {
                loses |= !lastSeen.containsKey(captured.psn());
            }
        }
        return loses;
    }

    /** What both sides are; the capture says when time is up. */
    static RcAttributes attributes(int mtu) {
        return RcAttributes.defaults().withMtu(mtu).withWindow(WINDOW, WINDOW).withRetries(7, 7, TIMEOUT_NS)
                .withReads(MOST_READS, MOST_READS);
    }

    /** A request was captured; says whether it is what would have been sent. */
    void sent(CapturedPacket captured) {
        if (script.firstPsn() < 0 || Psn.difference(captured.psn(), script.firstPsn()) < 0) {
            return;
        }
        if (script.stop() != null && Psn.difference(captured.psn(), script.stop().psn()) >= 0) {
            if (captured == script.stop()) {
                notes.event(captured, "is not followed any more: " + script.stopped());
            }
            return;
        }
        sent++;
        while (known < script.messages().size()
                && script.appears().get(known) <= captured.number()) {
            known++;
        }
        if (captured.psn() != cursor) {
            move(captured);
        }
        CapturedPacket ours = nextOf(captured);
        while (ours != null && wasLostBefore(ours.psn(), captured)) {
            notes.event(captured, "sent PSN " + ours.psn() + " before, which was lost before the place of the capture");
            ours = next(captured);
        }
        compare(captured, ours);
        cursor = captured.endPsn(mtu);
        sentAgain += Psn.difference(captured.psn(), end) < 0 ? 1 : 0;
        end = Psn.difference(cursor, end) > 0 ? cursor : end;
    }

    /** Returns true for what is before a packet that was captured, and was captured at other times. */
    private boolean wasLostBefore(int psn, CapturedPacket captured) {
        return Psn.difference(psn, captured.psn()) < 0
                && (isSentLater(psn, captured) || losesBefore && lastSeen.containsKey(psn));
    }

    /** Returns true when all from a PSN to that of a packet was lost before the place of the capture. */
    private boolean wereLostBefore(int from, CapturedPacket captured) {
        int psn = from;
        while (wasLostBefore(psn, captured)) {
            psn = lastSeen.get(psn).endPsn(mtu);
        }
        return psn == captured.psn();
    }

    private boolean isSentLater(int psn, CapturedPacket captured) {
        CapturedPacket last = lastSeen.get(psn);
        return last != null && last.number() > captured.number();
    }

    /** Returns what ours sends now. Where it has no room for more, theirs had answers by now. */
    private CapturedPacket nextOf(CapturedPacket captured) {
        CapturedPacket ours = next(captured);
        while (ours == null && !pending.isEmpty()) {
            take(pending.poll());
            ours = next(captured);
        }
        return ours;
    }

    private CapturedPacket next(CapturedPacket captured) {
        out.allow(1);
        transport.progress(captured.timeNs() + timeoutsNs);
        out.allow(0);
        return out.poll();
    }

    private void compare(CapturedPacket captured, CapturedPacket ours) {
        if (ours == null || ours.psn() != captured.psn()) {
            skip(captured, ours);
        } else if (ours.opcode() != captured.opcode() || ours.length() != captured.length()
                || ours.isRead() && ours.readBytes() != captured.readBytes()) {
            notes.difference(captured, side, "sent " + captured.words() + " of " + bytes(captured) + " bytes",
                    "sends " + ours.words() + " of " + bytes(ours));
        }
    }

    private static long bytes(CapturedPacket request) {
        return request.isRead() ? request.readBytes() : request.length();
    }

    /** Theirs went on where ours sends something else, or has nothing to send. */
    private void skip(CapturedPacket captured, CapturedPacket ours) {
        notes.difference(captured, side, "sent " + captured.words(),
                ours == null ? "sends nothing" : "sends " + ours.words());
        CapturedPacket then = ours;
        for (int i = 0; i < MOST_SKIPPED && then != null && then.psn() != captured.psn(); i++) {
            then = next(captured);
        }
    }

    // ---- what was sent again

    /** Theirs went back to what is not acknowledged, or on behind what is: by what was answered, or in time. */
    private void move(CapturedPacket captured) {
        arriveBefore(captured);
        if (wereLostBefore(transport.nextPsn(), captured)) {
            return;
        }
        CapturedPacket oldest = floor == captured.psn() ? captured : lastSeen.get(floor); // or lost before the place
        boolean asksAgain = oldest != null && (oldest.isRead() || Opcode.isAtomic(oldest.opcode()));
        for (Iterator<CapturedPacket> all = pending.iterator(); transport.nextPsn() != floor && all.hasNext();) {
            CapturedPacket response = all.next();
            if (isRequest(response) && response.psn() == floor) {
                all.remove();
                take(response);
            } else if (asksAgain && Psn.difference(response.psn(), floor) > 0) {
                take(response); // which may still be on its way, too
                if (transport.nextPsn() == floor) {
                    notes.event(captured, "asks again for what is from PSN " + floor + " on: an answer was lost behind"
                            + " the place of the capture, or is late");
                }
            }
        }
        if (Psn.difference(transport.nextPsn(), captured.psn()) > 0) {
            notes.event(captured, "sends again from PSN " + captured.psn() + " on, which no NAK asked for:"
                    + " a time-out, or an answer that was lost or late");
            timeoutsNs += TIMEOUT_NS + 1;
        }
    }

    /** Returns true for a NAK that has something sent again. */
    private static boolean isRequest(CapturedPacket response) {
        return response.isNakOfSequence() || response.isRnrNak();
    }

    /** What lies before a packet was answered: theirs went on behind it. NAKs for it were lost, or are answered. */
    private void arriveBefore(CapturedPacket captured) {
        while (Psn.difference(floor, captured.psn()) < 0
                && !isSentLater(floor, captured)) { // what is sent again has no answer yet
            floor = Psn.plus(floor, 1);
        }
        for (Iterator<CapturedPacket> all = pending.iterator(); all.hasNext();) {
            CapturedPacket response = all.next();
            boolean ends = response.opcode() == Opcode.ACKNOWLEDGE && !Aeth.isAck(response.syndrome())
                    && !isRequest(response);
            if (!ends && Psn.difference(response.psn(), floor) < 0) {
                all.remove();
                if (!isRequest(response)) {
                    take(response);
                }
            }
        }
    }

    // ---- responses

    /** A response was captured. */
    void receive(CapturedPacket captured) {
        pending.add(captured);
    }

    /** The capture ends: all that was answered arrives. */
    void finish() {
        while (!pending.isEmpty()) {
            take(pending.poll());
        }
    }

    private void take(CapturedPacket response) {
        transport.receive(response.parse(packet), response.timeNs() + timeoutsNs);
    }

    RcCounters counters() {
        return transport.counters();
    }

    String state() {
        return "messages=" + script.messages().size() + " completed=" + ended + " packets=" + sent + " again="
                + sentAgain + " NAKs=" + counters().receivedSequenceNaks() + " implied=" + counters().impliedNaks()
                + " RNR=" + counters().receivedRnrNaks() + " underWay=" + transport.packetsUnderWay()
                + (failure == WcStatus.SUCCESS ? "" : " failed=" + failure);
    }

    // ---- the send queue

    @Override
    public boolean fetch(SendWork work) {
        if (fetched == known) {
            return false;
        }
        Message message = script.messages().get(fetched);
        work.set(message.operation(), message.length(), fetched++).flags(false, false).word(0)
                .remote(message.address(), message.rkey()).operands(0, 0);
        return true;
    }

    @Override
    public void complete(SendWork work, WcStatus status) {
        ended += status == WcStatus.SUCCESS ? 1 : 0;
        failure = failure == WcStatus.SUCCESS ? status : failure;
    }
}
