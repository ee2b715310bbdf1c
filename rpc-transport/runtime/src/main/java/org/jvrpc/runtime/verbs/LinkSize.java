package org.jvrpc.runtime.verbs;

import org.jvrpc.runtime.session.Undo;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;

/**
 * How large a link is, and may become.
 *
 * @param slots at first
 * @param mostSlots with those that it may grow by
 * @param slotBytes longest body
 * @param messages that the peer may send before it hears of any being taken, at first
 * @param mostMessages the same, when the link has grown as far as it may
 */
public record LinkSize(int slots, int mostSlots, int slotBytes, int messages, int mostMessages) {

    /** Makes that of a link that does not grow. */
    public static LinkSize fixed(int slots, int slotBytes, int messages) {
        return new LinkSize(slots, slots, slotBytes, messages, messages);
    }

    /** Returns how many receives there may be. */
    int mostReceives() {
        return ReceiveBatches.count(mostMessages);
    }

    /** The QP of a link, in INIT, and its CQs, with room for all that there may be later. */
    record Queues(CompletionQueue sendCq, CompletionQueue receiveCq, QueuePair qp) implements AutoCloseable {

        @Override
        public void close() {
            qp.close();
            receiveCq.close();
            sendCq.close();
        }
    }

    /** Makes the queues of a link. */
    Queues queues(Device device, SessionDomain domain, EventChannel channel) {
        Undo undo = new Undo();
        try {
            CompletionQueue sendCq = undo.keep(device.createCq(
                    new CompletionQueueAttributes(LinkLayout.SEND_DEPTH, 64, true, false, channel)));
            CompletionQueue receiveCq = undo.keep(device.createCq(
                    new CompletionQueueAttributes(mostReceives(), 128, true, true, channel)));
            QueuePair qp = undo.keep(domain.pd().createQp(new QueuePairAttributes(sendCq, receiveCq)
                    .depth(LinkLayout.SEND_DEPTH, mostReceives())
                    .rnr(QueuePairAttributes.RNR_RETRY_FOREVER, 1000)
                    .lazyWake(true)));
            qp.init();
            return new Queues(sendCq, receiveCq, qp);
        } catch (RuntimeException | Error e) {
            undo.run();
            throw e;
        }
    }
}
