package org.jvrpc.softrnic.roce;

import org.jvrpc.roce.cm.CmEvent;

/** Whose events those of a connection are. */
interface CmOwner {

    /** Handles an event. The node's thread, without a lock. */
    void event(CmEvent event);
}
