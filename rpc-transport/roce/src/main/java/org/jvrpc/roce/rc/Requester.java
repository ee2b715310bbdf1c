package org.jvrpc.roce.rc;

import org.jvrpc.roce.wire.Aeth;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Packet;
import org.jvrpc.roce.wire.Psn;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.WcStatus;

/**
 * The sending half of a QP: sends what its queue holds, as far as window, fences and the number of READs allow; takes
 * acknowledgements and answers; sends again what was lost, from the first missing packet on. WRs end in order, each
 * once. When one fails, the rest is flushed and nothing is sent any more.
 */
final class Requester {

    /** No timer runs. */
    static final long NEVER = Long.MAX_VALUE;

    private final SendQueue queue;
    private final RcAttributes attributes;
    private final RcCounters counters;
    private final PacketSink sink;
    private final SendWindow window;
    private final RequestWriter writer;
    private boolean active = true;
    private int retries;
    private int rnrRetries;
    /** Went back because of a NAK, and nothing came since: others of the same loss say nothing new. */
    private boolean wentBack;
    private boolean timerRuns;
    private long timerNs;
    private boolean waitsForReceive;
    private long receiveNs;

    Requester(SendQueue queue, PacketSink sink, RcAttributes attributes, RcCounters counters, int works, int qpn,
            int psn) {
        this.queue = queue;
        this.attributes = attributes;
        this.counters = counters;
        this.sink = sink;
        this.window = new SendWindow(queue, attributes, works, psn);
        this.writer = new RequestWriter(sink, queue, attributes, qpn);
    }

    /** Sends what may be sent now. */
    void progress(long nowNs) {
        if (waitsForReceive && active) {
            if (nowNs - receiveNs < 0) {
                return;
            }
            waitsForReceive = false;
        }
        while (active && sink.isReady()) {
            SendWork work = window.atHand();
            if (work == null || work.refusal() == null && !window.maySend(work)) {
                return;
            }
            if (work.refusal() != null) {
                if (window.isAlone()) { // those before it have ended
                    fail(work.refusal());
                }
                return;
            }
            transmit(work, nowNs);
        }
    }

    private void transmit(SendWork work, long nowNs) {
        if (!work.isBegun()) {
            window.begin(work);
        }
        boolean again = window.isResending();
        WcStatus status = writer.send(work, window.next(),
                work.operation() == SendWork.Operation.READ ? window.requestEnd(work, window.next()) : 0,
                window.isFullBehindNext());
        if (status != WcStatus.SUCCESS) {
            work.refuse(status); // ends so when its turn comes: nothing behind it is sent
            return;
        }
        counters.sent(again);
        window.sent(work);
        if (!timerRuns) {
            startTimer(nowNs);
        }
    }

    private void startTimer(long nowNs) {
        timerRuns = attributes.ackTimeoutNs() > 0 && window.isUnderWay();
        timerNs = nowNs + attributes.ackTimeoutNs(retries);
    }

    /** Returns when {@link #tick} has something to do, {@link #NEVER} when it has not. */
    long deadlineNs() {
        if (!active) {
            return NEVER;
        }
        if (waitsForReceive) {
            return receiveNs;
        }
        return timerRuns ? timerNs : NEVER;
    }

    int nextPsn() {
        return window.next();
    }

    int packetsUnderWay() {
        return active ? Psn.difference(window.next(), window.unacknowledged()) : 0;
    }

    /** Looks at the time. */
    void tick(long nowNs) {
        if (!active || waitsForReceive || !timerRuns || nowNs - timerNs < 0) {
            return;
        }
        counters.timeout();
        timerRuns = false;
        if (mayRetry()) {
            wentBack = false;
            goBack(nowNs);
        }
    }

    /** Counts a retry; false after it was one too many, and the oldest WR failed. */
    private boolean mayRetry() {
        if (retries++ < attributes.retryCount()) {
            return true;
        }
        counters.retriesExceeded();
        fail(WcStatus.RETRY_EXC_ERR);
        return false;
    }

    private void goBack(long nowNs) {
        window.goBack();
        writer.askNext();
        timerRuns = false;
        startTimer(nowNs);
    }

    /** Takes a response. */
    void receive(Packet packet, long nowNs) {
        if (!active) {
            return;
        }
        int psn = packet.psn();
        if (!window.holds(psn)) {
            counters.stray();
            return;
        }
        if (Opcode.isReadResponse(packet.opcode())) {
            readResponse(packet, nowNs);
        } else if (packet.opcode() == Opcode.ATOMIC_ACKNOWLEDGE) {
            atomicResponse(packet, nowNs);
        } else {
            acknowledgement(Aeth.syndrome(packet.buffer(), packet.extension()), psn, nowNs);
        }
    }

    /** A packet was acknowledged for the first time, unless nothing was acknowledged since a PSN was the oldest. */
    private void progressedFrom(int psn, long nowNs) {
        if (window.heard() == psn) {
            return;
        }
        retries = 0;
        rnrRetries = 0;
        wentBack = false;
        waitsForReceive = false; // the message that had no receive has one
        startTimer(nowNs);
    }

    private void acknowledgement(int syndrome, int psn, long nowNs) {
        if (Aeth.isAck(syndrome)) {
            if (!acknowledge(Psn.plus(psn, 1), nowNs)) {
                implied(nowNs);
            }
        } else if (!acknowledge(psn, nowNs)) {
            implied(nowNs);
        } else if (Aeth.isRnrNak(syndrome)) {
            notReady(syndrome, nowNs);
        } else if (syndrome == Aeth.NAK_SEQUENCE) {
            counters.sequenceNakReceived();
            missing(nowNs);
        } else if (!window.isEmpty()) {
            fail(Aeth.status(syndrome));
        }
    }

    /** Ends what lies before a PSN; false when an answer before it is missing, and was lost. */
    private boolean acknowledge(int end, long nowNs) {
        int before = window.heard();
        boolean whole = acknowledge(end);
        progressedFrom(before, nowNs);
        return whole;
    }

    private boolean acknowledge(int end) {
        while (!window.isEmpty() && window.oldest().isBegun()) {
            SendWork work = window.oldest();
            if (work.operation().isAnswered()) {
                return Psn.difference(end, window.unacknowledged()) <= 0;
            }
            if (Psn.difference(end, work.endPsn()) < 0) {
                if (attributes.goBackZero()) {
                    window.hear(end);
                } else if (Psn.difference(end, window.unacknowledged()) > 0) {
                    window.advance(end);
                }
                return true;
            }
            window.complete(WcStatus.SUCCESS);
        }
        return true;
    }

    private void implied(long nowNs) {
        counters.nakImplied();
        missing(nowNs);
    }

    /** Packets were lost: sends again from the first of them on, once. */
    private void missing(long nowNs) {
        if (waitsForReceive || wentBack) {
            return;
        }
        if (mayRetry()) {
            wentBack = true;
            goBack(nowNs);
        }
    }

    private void notReady(int syndrome, long nowNs) {
        counters.rnrNakReceived();
        if (waitsForReceive) {
            return;
        }
        if (attributes.rnrRetry() != QueuePairAttributes.RNR_RETRY_FOREVER && rnrRetries >= attributes.rnrRetry()) {
            counters.rnrRetriesExceeded();
            fail(WcStatus.RNR_RETRY_EXC_ERR);
            return;
        }
        rnrRetries++;
        wentBack = false;
        window.goBack();
        writer.askNext();
        timerRuns = false;
        waitsForReceive = true;
        receiveNs = nowNs + Aeth.rnrTimerNs(syndrome);
    }

    /** Returns the WR that a response is the next of; null when it is for another: then it was dealt with. */
    private SendWork answered(Packet packet, boolean atomic, long nowNs) {
        acknowledge(packet.psn(), nowNs);
        if (window.isEmpty() || !window.oldest().isBegun()) {
            counters.stray();
            return null;
        }
        int ahead = Psn.difference(packet.psn(), window.unacknowledged());
        if (ahead < 0) {
            counters.stray(); // it came before
            return null;
        }
        if (ahead > 0) {
            implied(nowNs);
            return null;
        }
        SendWork work = window.oldest();
        if (!work.operation().isAnswered() || work.operation().isAtomic() != atomic) {
            fail(WcStatus.BAD_RESP_ERR);
            return null;
        }
        return work;
    }

    private void readResponse(Packet packet, long nowNs) {
        SendWork work = answered(packet, false, nowNs);
        if (work == null) {
            return;
        }
        long from = (long) Psn.difference(packet.psn(), work.firstPsn()) * attributes.mtu();
        int behind = Psn.plus(packet.psn(), 1);
        if (packet.length() != Math.min(work.length() - from, attributes.mtu())
                || Opcode.ends(packet.opcode()) != (behind == window.requestEnd(work, packet.psn()))) {
            fail(WcStatus.BAD_RESP_ERR);
            return;
        }
        WcStatus status = packet.length() == 0 ? WcStatus.SUCCESS
                : queue.scatter(work, from, packet.buffer(), packet.payload(), packet.length());
        end(status, behind == work.endPsn(), packet.psn(), nowNs);
    }

    private void atomicResponse(Packet packet, long nowNs) {
        SendWork work = answered(packet, true, nowNs);
        if (work != null) {
            end(queue.store(work, packet.original()), true, packet.psn(), nowNs);
        }
    }

    private void end(WcStatus status, boolean ends, int psn, long nowNs) {
        if (status != WcStatus.SUCCESS) {
            fail(status);
            return;
        }
        if (ends) {
            window.complete(WcStatus.SUCCESS);
        } else {
            window.advance(Psn.plus(psn, 1));
        }
        progressedFrom(psn, nowNs);
    }

    /** The oldest WR fails, and with it the QP. */
    private void fail(WcStatus status) {
        window.complete(status);
        queue.failed();
        flush();
    }

    /** The QP is in ERR: ends what was fetched. Harmless when repeated. */
    void flush() {
        active = false;
        waitsForReceive = false;
        timerRuns = false;
        window.flush();
    }
}
