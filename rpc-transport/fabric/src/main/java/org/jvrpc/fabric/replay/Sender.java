package org.jvrpc.fabric.replay;

import java.nio.ByteBuffer;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.RcCounters;
import org.jvrpc.roce.rc.RcTransport;
import org.jvrpc.roce.rc.SendQueue;
import org.jvrpc.roce.rc.SendWork;
import org.jvrpc.roce.wire.Packet;
import org.jvrpc.roce.wire.Psn;
import org.jvrpc.verbs.WcStatus;

/**
 * The requester of a side. It has the messages that were captured, sends a packet whenever one was captured, and takes
 * the responses that were; so what it sends should be what was sent.
 */
final class Sender implements SendQueue {

    private static final int WORKS = 1 << 12;
    private static final int WINDOW = 1 << 22;
    private static final int MOST_READS = 1 << 10;
    private static final int MOST_SKIPPED = 1 << 16;
    /** Longer than any capture: a time-out happens when it is seen to have. */
    private static final long TIMEOUT_NS = 1L << 60;

    private final Message.Script script;
    private final Outgoing out = new Outgoing();
    private final Packet packet = new Packet();
    private final RcTransport transport;
    private final int side;
    private final Notes notes;
    private final int stop;
    private int known;
    private int fetched;
    private int ended;
    private WcStatus failure = WcStatus.SUCCESS;
    private int sent;
    private int sentAgain;
    private int end;

    Sender(Flow flow, int side, Message.Script script, Notes notes) {
        this.script = script;
        this.side = side;
        this.notes = notes;
        stop = script.stop() == null ? Integer.MAX_VALUE : script.stop().number();
        end = script.firstPsn();
        transport = new RcTransport(this, new Receiver.Nowhere(), new Receiver.Memory(), out, attributes(flow.mtu()),
                WORKS, 0, Math.max(0, script.firstPsn()), 0);
    }

    /** What both sides are; the capture says when time is up. */
    static RcAttributes attributes(int mtu) {
        return RcAttributes.defaults().withMtu(mtu).withWindow(WINDOW, WINDOW).withRetries(7, 7, TIMEOUT_NS)
                .withReads(MOST_READS, MOST_READS);
    }

    /** A request was captured; says whether it is what would have been sent. */
    void sent(CapturedPacket captured) {
        boolean before = script.firstPsn() < 0 || sent == 0 && captured.psn() != script.firstPsn();
        if (before || captured.number() >= stop) {
            if (captured.number() == stop) {
                notes.event(captured, "is not followed any more: " + script.stopped());
            }
            return;
        }
        sent++;
        boolean again = Psn.difference(captured.psn(), end) < 0;
        end = again ? end : Psn.plus(captured.psn(), 1);
        sentAgain += again ? 1 : 0;
        while (known < script.messages().size()
                && script.messages().get(known).first().number() <= captured.number()) {
            known++;
        }
        CapturedPacket ours = next(captured.timeNs());
        if (ours != null && ours.psn() == captured.psn()) {
            compare(captured, ours);
        } else if (again) {
            goBack(captured, ours);
        } else {
            skip(captured, ours);
        }
    }

    private CapturedPacket next(long nowNs) {
        out.allow(1);
        transport.progress(nowNs);
        out.allow(0);
        return out.poll();
    }

    private void compare(CapturedPacket captured, CapturedPacket ours) {
        if (ours.opcode() != captured.opcode() || ours.length() != captured.length()) {
            notes.difference(captured, side, "sent " + captured.words() + " of " + captured.length() + " bytes",
                    "sends " + ours.words() + " of " + ours.length());
        }
    }

    /** Theirs sent something again; ours does so when its time is up. */
    private void goBack(CapturedPacket captured, CapturedPacket ours) {
        notes.event(captured, "sends again from PSN " + captured.psn() + " on, which no NAK asked for:"
                + " a time-out, or an answer that was lost or late");
        CapturedPacket then = next(captured.timeNs() + TIMEOUT_NS + 1);
        if (then == null || then.psn() != captured.psn()) {
            notes.difference(captured, side, "sent " + captured.words() + " again",
                    ours == null ? "has nothing to send" : "sends " + ours.words());
        }
    }

    /** Theirs went on where ours sends again, or has nothing to send. */
    private void skip(CapturedPacket captured, CapturedPacket ours) {
        notes.difference(captured, side, "sent " + captured.words(),
                ours == null ? "sends nothing" : "sends " + ours.words());
        CapturedPacket then = ours;
        for (int i = 0; i < MOST_SKIPPED && then != null && then.psn() != captured.psn(); i++) {
            then = next(captured.timeNs());
        }
    }

    /** A response was captured. */
    void receive(CapturedPacket captured) {
        transport.receive(captured.parse(packet), captured.timeNs());
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
    public WcStatus gather(SendWork work, long from, ByteBuffer into, int at, int length) {
        return WcStatus.SUCCESS;
    }

    @Override
    public WcStatus scatter(SendWork work, long from, ByteBuffer of, int at, int length) {
        return WcStatus.SUCCESS;
    }

    @Override
    public WcStatus store(SendWork work, long found) {
        return WcStatus.SUCCESS;
    }

    @Override
    public void complete(SendWork work, WcStatus status) {
        ended += status == WcStatus.SUCCESS ? 1 : 0;
        failure = failure == WcStatus.SUCCESS ? status : failure;
    }

    @Override
    public void failed() {
    }
}
