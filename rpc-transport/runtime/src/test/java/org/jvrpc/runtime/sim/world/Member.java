package org.jvrpc.runtime.sim.world;

/** A thread of a process, and what is done of it when it may go on. */
record Member(Thread thread, World.Step step) {

    /**
     * Returns true while what the thread does next is up to the rest of this JVM: it waits for a monitor, or has got
     * it, and the JVM's own thread that has it go on has not been at it yet.
     */
    boolean isHeldUp() {
        synchronized (step) {
            Thread.State state = thread.getState();
            return state == Thread.State.BLOCKED || state == Thread.State.RUNNABLE && !step.isQueued();
        }
    }

    boolean hasEnded() {
        return thread.getState() == Thread.State.TERMINATED;
    }
}
