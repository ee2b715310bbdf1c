package org.jvrpc.fabric.network;

/** Which of several queues sends next. */
public enum Scheduling {
    /** The one whose frame came first. */
    FIRST_COME,
    /** One after the other, a frame each. */
    ROUND_ROBIN,
    /** One after the other, bytes by their weights. Source: Shreedhar, Varghese, SIGCOMM 1995. */
    DEFICIT_ROUND_ROBIN,
    /** The one with the highest number. */
    STRICT_PRIORITY
}
