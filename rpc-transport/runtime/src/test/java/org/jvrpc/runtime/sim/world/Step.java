package org.jvrpc.runtime.sim.world;

/** What is done in one go. A thread has one step, which is done again and again. */
final class Step {

    /** Whose it is; null for the network's. */
    final SimProcess process;
    /** What the thread decides; null where it is not one's. */
    final Choices.Stream own;
    Runnable what;
    /** Null where it is not one's. */
    Thread thread;
    /** The thread goes on by itself, and was not woken by another one. */
    boolean again;
    /** It is to be done: it arrives, waits for its turn, or is held with its process. Under the step's monitor. */
    private boolean queued;

    Step(SimProcess process, Choices.Stream own, Runnable what) {
        this.process = process;
        this.own = own;
        this.what = what;
    }

    /**
     * Returns true while what its thread does next is up to the rest of this JVM: it waits for a monitor, or has got
     * it, and the JVM's own thread that has it go on has not been at it yet.
     */
    synchronized boolean isHeldUp() {
        Thread.State state = thread == null ? null : thread.getState();
        return state == Thread.State.BLOCKED || state == Thread.State.RUNNABLE && !queued;
    }

    /** Returns true while it is a monitor of others, the JDK for one, in which no thread of a world stands. */
    boolean isHeldUpByOthers() {
        if (!isHeldUp()) {
            return false;
        }
        StackTraceElement[] stack = thread.getStackTrace();
        return stack.length == 0 || !stack[0].getClassName().startsWith("org.jvrpc.");
    }

    /** Has a thread go on with something; the JVM's own thread may be at it, and be held up between the two. */
    synchronized void queue(Runnable continuation, World world) {
        what = continuation;
        queued = true;
        world.arrive(this);
    }

    synchronized void begin() {
        queued = false;
    }

    /** Returns true when it is to go on with a monitor that it waited for. */
    synchronized boolean isLetGo() {
        return queued && thread != null && JdkThreads.isUnblocked(thread);
    }

    boolean hasEnded() {
        return thread.getState() == Thread.State.TERMINATED;
    }

    synchronized boolean isQueued() {
        return queued;
    }
}
