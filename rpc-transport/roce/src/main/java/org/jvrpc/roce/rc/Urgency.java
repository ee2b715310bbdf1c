package org.jvrpc.roce.rc;

/** Which acknowledgements leave now. Whatever else there is to send always does. */
public enum Urgency {
    /** Those that may wait for nothing: there is other work to be done first. */
    FIRST,
    /** Those that the peer asked for, too: there is nothing else to do. */
    ASKED,
    /** All: some time has passed. */
    ALL
}
