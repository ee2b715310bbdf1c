package org.jvrpc.verbs;

/** Where work requests are reported complete. One thread at a time polls. */
public interface CompletionQueue extends AutoCloseable {

    /**
     * Takes the oldest completion. Never blocks, allocates nothing; also lets the device's stalled sends go on.
     * Source: ibv_poll_cq(3).
     *
     * @return false when there is none
     * @throws VerbsException when the queue overran: completions are lost and all its QPs are in ERR
     */
    boolean poll(WorkCompletion wc);

    /**
     * Looks whether there is a completion, without taking it. Never blocks, allocates nothing. A thread that may poll.
     *
     * @return false when there is none; true also where the device cannot tell without taking it
     */
    default boolean hasMore() {
        return true;
    }

    /**
     * Asks for one event on the channel at the next completion. A completion that came before arming makes no event:
     * poll once more after arming, before waiting. Source: ibv_req_notify_cq(3).
     */
    void arm();

    /**
     * Takes the request of {@link #arm()} back, if no completion took it already. Where the device cannot, the next
     * completion makes an event.
     */
    void disarm();

    /** Returns the number of completions that it holds. */
    int depth();

    /** Returns the number of the queue on its device. */
    int number();

    /** Ends the queue. Idempotent. @throws VerbsException while QPs use it */
    @Override
    void close();
}
