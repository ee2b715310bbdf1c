package org.jvrpc.watch.agent;

import java.nio.ByteBuffer;
import org.jvrpc.watch.probe.ProbeLayout;

/**
 * Answers probes: at once that they have come, and how long that took, which follows where it is known only when the
 * answer has left. Answers go where the registry says that the prober is, wherever the probe came from. One thread.
 */
final class Responder {

    /** Answers that are on their way out at a time; a power of two. */
    private static final int ANSWERS = 1024;

    private final Mailbox mailbox;
    private final PeerTable peers;
    private final Answer[] answers = new Answer[ANSWERS];
    private long number;

    Responder(Mailbox mailbox, PeerTable peers) {
        this.mailbox = mailbox;
        this.peers = peers;
    }

    /** A genuine probe has come. */
    void probed(ByteBuffer payload, long t3, long nowNs) {
        Peer peer = peers.find(ProbeLayout.prober(payload));
        if (ProbeLayout.responder(payload) != mailbox.self.id() || peer == null || !peer.isUsable()
                || peer.info.incarnation() != ProbeLayout.incarnation(payload)) {
            mailbox.unlisted++;
            return;
        }
        long sequence = ProbeLayout.sequence(payload);
        if (!peer.window.take(sequence)) {
            mailbox.replayed++;
            return;
        }
        if (!peer.mayAnswer(nowNs)) {
            mailbox.notAnswered++;
            return;
        }
        boolean whole = ProbeLayout.isWhole(payload);
        mailbox.damaged += whole ? 0 : 1;
        Answer answer = new Answer(peer, sequence, ProbeLayout.nonce(payload), ProbeLayout.flow(payload),
                ProbeLayout.sizeClass(payload), ProbeLayout.serviceLevel(payload), t3);
        long t4 = mailbox.transport.sendNs();
        long value = ProbeLayout.acknowledgement((int) peer.window.before(sequence),
                t4 == Long.MIN_VALUE ? -1 : t4 - t3);
        boolean follows = value >>> Integer.SIZE == 0;
        if (follows) {
            answers[(int) number & ANSWERS - 1] = answer;
        }
        if (mailbox.answer(ProbeLayout.ACK, payload.limit(), whole ? 0 : ProbeLayout.DAMAGED, answer, value,
                follows ? ~number++ : Long.MIN_VALUE)) {
            mailbox.answered++;
        }
    }

    /** An answer has left, so that what it took is known. @param cookie that it was sent with */
    void answered(long cookie, boolean left, long t4) {
        long which = ~cookie;
        Answer answer = answers[(int) which & ANSWERS - 1];
        if (which >= number || which < number - ANSWERS || answer == null) {
            return;
        }
        answers[(int) which & ANSWERS - 1] = null;
        if (left && answer.peer().isUsable()) {
            mailbox.answer(ProbeLayout.TIMES, ProbeLayout.BYTES, 0, answer, t4 - answer.t3(), Long.MIN_VALUE);
        }
    }
}
