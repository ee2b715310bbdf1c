package org.jvrpc.runtime.thread;

/** Where the threads of a client or a server come from. */
@FunctionalInterface
public interface Threads {

    /** Daemons of the system's. */
    Threads DAEMONS = (task, name) -> {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    };

    /** Returns true when this thread may wait where a virtual one would keep its carrier from others. */
    default boolean mayBlock() {
        return !Idler.isVirtual(Thread.currentThread());
    }

    /** Makes a thread, which is not started. */
    Thread make(Runnable task, String name);
}
