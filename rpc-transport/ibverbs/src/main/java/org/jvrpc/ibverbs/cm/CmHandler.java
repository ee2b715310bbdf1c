package org.jvrpc.ibverbs.cm;

/** Who owns an id, and so hears of its events. Called by the thread that waits; never blocks, never throws. */
interface CmHandler {

    /** Takes an event. @return true when it is what the waiting thread waits for */
    boolean event(CmEvent event);
}
