package org.jvrpc.roce.rc;

import org.jvrpc.roce.rc.SendWork.Operation;
import org.jvrpc.roce.wire.Psn;
import org.jvrpc.verbs.WcStatus;

/**
 * The WRs that were fetched and have not ended, and the PSNs of those that were begun.
 *
 * <pre>
 * WRs   oldest ≤ at hand ≤ end: what lies before the one at hand is sent, and not acknowledged
 * PSNs  unacknowledged ≤ next to send ≤ never sent yet
 * </pre>
 * A READ takes as many PSNs as its answer has packets. It is asked for in pieces of a window, one after the other, so
 * that no more comes at once than is sent at once.
 */
final class SendWindow {

    private final SendWork[] works;
    private final SendQueue queue;
    private final RcAttributes attributes;
    private int oldest;
    private int atHand;
    private int end;
    /** The oldest PSN that is not acknowledged; where all of a message is sent again, of a message that is not. */
    private int unacknowledged;
    /** The oldest PSN that the peer has not acknowledged since it was sent last. */
    private int heard;
    private int next;
    /** The first PSN that no packet had yet. */
    private int fresh;
    /** READs and atomics that were begun and have not ended. */
    private int answersDue;

    SendWindow(SendQueue queue, RcAttributes attributes, int works, int psn) {
        this.queue = queue;
        this.attributes = attributes;
        this.works = new SendWork[Integer.highestOneBit(Math.max(1, works - 1)) << 1];
        for (int i = 0; i < this.works.length; i++) {
            this.works[i] = new SendWork();
        }
        unacknowledged = psn;
        heard = psn;
        next = psn;
        fresh = psn;
    }

    private SendWork work(int index) {
        return works[index & works.length - 1];
    }

    boolean isEmpty() {
        return oldest == end;
    }

    /** Returns true while a packet was sent that is not acknowledged. */
    boolean isUnderWay() {
        return next != unacknowledged;
    }

    int unacknowledged() {
        return unacknowledged;
    }

    /** Returns what moves with each acknowledgement of something new. */
    int heard() {
        return heard;
    }

    int next() {
        return next;
    }

    /** Returns true when the next packet was sent before. */
    boolean isResending() {
        return next != fresh;
    }

    /** Returns true when a PSN is of a packet that may have been sent and is not acknowledged. */
    boolean holds(int psn) {
        return Psn.difference(psn, unacknowledged) >= 0 && Psn.difference(psn, fresh) < 0;
    }

    /** Returns the oldest WR that has not ended; one that was not begun has no PSNs. */
    SendWork oldest() {
        return work(oldest);
    }

    /** Returns the WR whose packet is to be sent next, null when there is none. */
    SendWork atHand() {
        if (atHand == end && !fetch()) {
            return null;
        }
        return work(atHand);
    }

    private boolean fetch() {
        if (end - oldest == works.length || !queue.fetch(work(end))) {
            return false;
        }
        SendWork fetched = work(end++);
        if (fetched.refusal() == null && (fetched.length() < 0
                || attributes.packets(fetched.length()) > RcAttributes.MOST_PACKETS)) {
            fetched.refuse(WcStatus.LOC_LEN_ERR);
        }
        return true;
    }

    /** Returns true when the WR at hand is the oldest. */
    boolean isAlone() {
        return atHand == oldest;
    }

    /** Returns true when the WR at hand may send its next packet, as far as others go. */
    boolean maySend(SendWork work) {
        if (!work.isBegun() && (work.isFenced() && answersDue > 0
                || work.operation().isAnswered() && answersDue >= attributes.maxRdAtomic())) {
            return false;
        }
        if (work.operation() == Operation.READ && work.isBegun() && next != work.firstPsn()) {
            return next == unacknowledged; // one request of it at a time
        }
        return Psn.difference(next, heard) < attributes.window();
    }

    /** Returns true when nothing can follow a packet of the WR at hand until something is acknowledged. */
    boolean isFullBehindNext() {
        return Psn.difference(next, heard) + 1 >= attributes.window();
    }

    /** Gives the WR at hand its PSNs. */
    void begin(SendWork work) {
        work.begin(next, work.operation().isAtomic() ? 1 : (int) attributes.packets(work.length()));
        if (work.operation().isAnswered()) {
            answersDue++;
        }
    }

    /** Returns the PSN behind those of the request of a READ that has this one: long READs have several requests. */
    int requestEnd(SendWork work, int psn) {
        int index = Psn.difference(psn, work.firstPsn());
        int most = attributes.window();
        return Psn.plus(work.firstPsn(), Math.min(work.packets(), (index / most + 1) * most));
    }

    /** A packet of the WR at hand was sent; the request of a READ has the PSNs of its answer. */
    void sent(SendWork work) {
        next = work.operation() == Operation.READ ? requestEnd(work, next) : Psn.plus(next, 1);
        if (Psn.difference(next, fresh) > 0) {
            fresh = next;
        }
        if (next == work.endPsn()) {
            atHand++;
        }
    }

    /** All before a PSN of the oldest WR is acknowledged. */
    void advance(int psn) {
        unacknowledged = psn;
        hear(psn);
        if (Psn.difference(next, psn) < 0) {
            next = psn;
        }
    }

    /** The peer has all before a PSN, which may have to be sent again for all that. */
    void hear(int psn) {
        if (Psn.difference(psn, heard) > 0) {
            heard = psn;
        }
    }

    /** The oldest WR has ended. */
    void complete(WcStatus status) {
        SendWork work = work(oldest);
        if (work.isBegun()) {
            advance(work.endPsn());
            if (work.operation().isAnswered()) {
                answersDue--;
            }
        }
        oldest++;
        if (atHand - oldest < 0) {
            atHand = oldest;
        }
        queue.complete(work, status);
    }

    /** Has all be sent again that is not acknowledged. */
    void goBack() {
        if (attributes.goBackZero() && !isEmpty() && oldest().isBegun()) {
            unacknowledged = oldest().firstPsn();
        }
        heard = unacknowledged;
        atHand = oldest;
        next = unacknowledged;
    }

    /** Ends all that was fetched. */
    void flush() {
        while (!isEmpty()) {
            complete(WcStatus.WR_FLUSH_ERR);
        }
    }
}
