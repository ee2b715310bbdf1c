package org.jvrpc.runtime.sim.world;

/** A thread of a process, and what is done of it when it may go on. */
record Member(Thread thread, Step step) {

    boolean isHeldUp() {
        return step.isHeldUp();
    }

    boolean hasEnded() {
        return thread.getState() == Thread.State.TERMINATED;
    }
}
