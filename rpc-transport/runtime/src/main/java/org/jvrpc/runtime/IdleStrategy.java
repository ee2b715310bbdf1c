package org.jvrpc.runtime;

/** How a thread waits for messages. The core budget is that of one waiting thread. */
public enum IdleStrategy {

    /**
     * Polls without end. One core, always; the lowest latency and the narrowest tail. A wait of more than 20 us leaves
     * the core to other threads between polls, if any want it; a shorter one, too, once yields showed that the core is
     * shared with a thread that yields itself, as the peer does.
     */
    SPIN,

    /**
     * Polls, then yields, then sleeps up to 1 ms at a time. About 1 % of a core when idle; first call up to 1 ms late.
     */
    BACK_OFF,

    /** Sleeps as soon as there is nothing. No core when idle; each call pays a wake-up, some tens of microseconds. */
    BLOCK,

    /**
     * Polls for a while, which grows while calls keep coming soon after it went to sleep and shrinks while they do not,
     * then sleeps until woken. Where others want the cores so much that a yield costs more than a millisecond, it
     * sleeps at once, but for a trial each 64th wait. A core under load, none when idle. The default.
     */
    ADAPTIVE
}
