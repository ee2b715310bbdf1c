package org.jvrpc.verbs;

/**
 * What a CQ is made with.
 *
 * @param depth completions that it holds, 1 to the device's limit; rounded up to a power of two, with one more for
 *     {@code payloadInPlace}, where the one polled last stays in use until the next poll
 * @param cqeBytes 64, or 128 to have up to 64 bytes of a receive's data in the CQE itself
 * @param exclusive true when one queue, the SQ or the RQ of one QP, feeds it in all its life: cheaper, and a second
 *     one is refused, also after the first one's QP was closed, since that one's peer may be about to write a last
 *     completion; a device may refuse it for the RQ of datagrams, which has many senders
 * @param payloadInPlace true to read the data of short receives in the CQE, see {@link WorkCompletion#inlineBuffer()};
 *     false to have it copied to the receive's SGEs
 * @param channel woken by completions once the CQ is armed; may be null
 * @param crossChannel true for the CQ of cross-channel QPs: WAIT may name it, it has no data in its CQEs, it never
 *     overruns, since new completions take the place of old ones that were not polled, and it wakes nobody
 */
public record CompletionQueueAttributes(
        int depth,
        int cqeBytes,
        boolean exclusive,
        boolean payloadInPlace,
        EventChannel channel,
        boolean crossChannel) {

    /** Checks the values. */
    public CompletionQueueAttributes {
        if (depth < 1 || depth > 1 << 22) {
            throw new IllegalArgumentException("depth must be 1 to " + (1 << 22) + ", depth=" + depth);
        }
        if (cqeBytes != 64 && cqeBytes != 128) {
            throw new IllegalArgumentException("cqeBytes must be 64 or 128, cqeBytes=" + cqeBytes);
        }
        if (crossChannel && (cqeBytes != 64 || exclusive || payloadInPlace || channel != null)) {
            throw new IllegalArgumentException("a cross-channel CQ has CQEs of 64 bytes and nothing else: cqeBytes="
                    + cqeBytes + " exclusive=" + exclusive + " payloadInPlace=" + payloadInPlace + " channel="
                    + channel);
        }
    }

    /** Attributes of a CQ that is not cross-channel. */
    public CompletionQueueAttributes(
            int depth, int cqeBytes, boolean exclusive, boolean payloadInPlace, EventChannel channel) {
        this(depth, cqeBytes, exclusive, payloadInPlace, channel, false);
    }

    /** Returns attributes of a CQ for cross-channel QPs. */
    public static CompletionQueueAttributes ofChains(int depth) {
        return new CompletionQueueAttributes(depth, 64, false, false, null, true);
    }

    /** Returns attributes of a CQ that many QPs may share, without events. */
    public static CompletionQueueAttributes ofDepth(int depth) {
        return new CompletionQueueAttributes(depth, 64, false, false, null);
    }

    /** Returns a copy with another channel. */
    public CompletionQueueAttributes withChannel(EventChannel channel) {
        return new CompletionQueueAttributes(depth, cqeBytes, exclusive, payloadInPlace, channel, crossChannel);
    }
}
