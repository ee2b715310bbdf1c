package org.jvrpc.roce.congestion;

import java.util.ArrayDeque;
import java.util.Random;

/**
 * Flows that share one link, in steps of time: senders of which each paces packets by its reaction point, one FIFO that
 * marks at its head, and receivers whose CNPs reach the senders after a round trip. Nothing is lost.
 */
final class Bottleneck {

    static final int FRAME = 1086;
    static final long STEP_NS = 100;
    private static final long FEEDBACK_NS = 5_000;

    /** A sender and what its receiver keeps. */
    static final class Sender {

        final ReactionPoint rate;
        final Pacer pacer;
        final NotificationPoint.Flow receiver = new NotificationPoint.Flow();
        final ArrayDeque<Long> cnps = new ArrayDeque<>();
        boolean sending = true;
        long deliveredBytes;

        Sender(DcqcnParameters parameters, long lineBitsPerSecond) {
            rate = new ReactionPoint(parameters, lineBitsPerSecond);
            pacer = new Pacer(lineBitsPerSecond, FRAME, 0);
        }
    }

    final Sender[] senders;
    /** The longest queue since the reader set it back. */
    long longestBytes;
    private final EcnMarking marking;
    private final NotificationPoint notifications;
    private final Pacer link;
    private final Random random;
    private final ArrayDeque<Sender> queue = new ArrayDeque<>();
    private long nowNs;

    Bottleneck(DcqcnParameters parameters, EcnMarking marking, int count, long lineBitsPerSecond, long seed) {
        this.marking = marking;
        link = new Pacer(lineBitsPerSecond, FRAME, 0);
        notifications = new NotificationPoint(parameters.cnpIntervalNs());
        random = new Random(seed);
        senders = new Sender[count];
        for (int i = 0; i < count; i++) {
            senders[i] = new Sender(parameters, lineBitsPerSecond);
        }
    }

    void run(long durationNs) {
        for (long endNs = nowNs + durationNs; nowNs < endNs; nowNs += STEP_NS) {
            for (Sender sender : senders) {
                send(sender);
            }
            while (!queue.isEmpty() && link.mayLeave(nowNs)) {
                deliver(queue.remove());
            }
        }
    }

    private void send(Sender sender) {
        while (!sender.cnps.isEmpty() && sender.cnps.peek() <= nowNs) {
            sender.rate.cnp(sender.cnps.remove());
        }
        sender.rate.advance(nowNs);
        sender.pacer.setRate(sender.rate.bitsPerSecond(), nowNs);
        while (sender.sending && sender.pacer.mayLeave(nowNs)) {
            sender.pacer.left(FRAME, nowNs);
            sender.rate.sent(FRAME, nowNs);
            queue.add(sender);
        }
        longestBytes = Math.max(longestBytes, (long) queue.size() * FRAME);
    }

    private void deliver(Sender sender) {
        link.left(FRAME, nowNs);
        sender.deliveredBytes += FRAME;
        boolean marked = marking.marks((long) queue.size() * FRAME, random.nextInt());
        if (notifications.received(sender.receiver, marked ? Ecn.CE : Ecn.ECT_0, nowNs)) {
            sender.cnps.add(nowNs + FEEDBACK_NS);
        }
    }
}
