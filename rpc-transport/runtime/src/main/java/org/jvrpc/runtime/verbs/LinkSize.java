package org.jvrpc.runtime.verbs;

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
}
