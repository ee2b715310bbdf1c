package org.jvrpc.fabric.event;

/** What something happens to. */
public interface EventTarget {

    /**
     * The time of an event has come.
     *
     * @param kind the target's own number for what happens
     * @param subject as it was scheduled with, may be null
     * @param argument as it was scheduled with
     */
    void happen(int kind, Object subject, long argument);
}
