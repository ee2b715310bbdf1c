package org.jvrpc.roce.rc;

import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Packet;

/**
 * The transport of one QP in RTS: both its halves. Packets that come are handed to {@link #receive}, several in a row
 * perhaps, then {@link #progress} sends what follows from them; so one acknowledgement serves all of them. One thread
 * at a time.
 */
public final class RcTransport {

    /** What {@link #deadlineNs} returns when nothing waits for time to pass. */
    public static final long NEVER = Requester.NEVER;

    private final Requester requester;
    private final Responder responder;
    private final RcCounters counters = new RcCounters();

    /**
     * Makes the transport of a QP.
     *
     * @param works WRs that may be under way, at least 1
     * @param qpn the peer's
     * @param sendPsn of the first packet from here
     * @param receivePsn of the first packet from there
     */
    public RcTransport(SendQueue sends, ReceiveQueue receives, RemoteMemory memory, PacketSink sink,
            RcAttributes attributes, int works, int qpn, int sendPsn, int receivePsn) {
        requester = new Requester(sends, sink, attributes, counters, works, qpn, sendPsn);
        responder = new Responder(receives, memory, sink, attributes, counters, qpn, receivePsn);
    }

    /** Takes a packet that was found to be one, from the peer, for this QP; those of other services are dropped. */
    public void receive(Packet packet, long nowNs) {
        if (!Opcode.isRc(packet.opcode())) {
            return;
        }
        counters.received();
        if (Opcode.isResponse(packet.opcode())) {
            requester.receive(packet, nowNs);
        } else {
            responder.receive(packet);
        }
    }

    /** Sends what may be sent, answers first. Called after packets came, WRs were posted, or time passed. */
    public void progress(long nowNs) {
        progress(nowNs, Urgency.ALL);
    }

    /** As {@link #progress}, but for acknowledgements that may wait until there is nothing else to do. */
    public void progressFirst(long nowNs) {
        progress(nowNs, Urgency.FIRST);
    }

    /** As {@link #progress(long)}, but for acknowledgements that may wait. */
    public void progress(long nowNs, Urgency urgency) {
        requester.tick(nowNs);
        responder.progress(urgency);
        requester.progress(nowNs);
    }

    /** Returns true when an acknowledgement waits for {@link #progress}. */
    public boolean isAcknowledgementHeld() {
        return responder.isAcknowledgementHeld();
    }

    /** Returns true when {@link Urgency#ASKED} would have an acknowledgement leave that {@link Urgency#FIRST} holds. */
    public boolean isAcknowledgementAsked() {
        return responder.isAcknowledgementAsked();
    }

    /** Returns when {@link #progress} is to be called though nothing else happens, or {@link #NEVER}. */
    public long deadlineNs() {
        return requester.deadlineNs();
    }

    /** The QP is in ERR: ends the WRs that were fetched; takes and sends no requests any more. */
    public void fail() {
        requester.flush();
        responder.stop();
    }

    /** Returns true when answers wait until packets may leave. */
    public boolean isAnswerDue() {
        return responder.isDue();
    }

    /** Returns how many packets were sent that are not acknowledged; a READ's are those of its answer. */
    public int packetsUnderWay() {
        return requester.packetsUnderWay();
    }

    /** Returns the PSN of the request packet that is sent next. */
    public int nextPsn() {
        return requester.nextPsn();
    }

    /** Returns the PSN of the request that is executed next. */
    public int expectedPsn() {
        return responder.expected();
    }

    public RcCounters counters() {
        return counters;
    }
}
