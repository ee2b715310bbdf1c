package org.jvrpc.spring.server;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * An executor with a virtual thread for each heavy call. Not itself a bean of an executor's type: the application's own
 * executor would step back from it.
 */
final class HeavyThreads implements AutoCloseable {

    private final ExecutorService executor;

    HeavyThreads() {
        ThreadFactory threads = new VirtualThreadTaskExecutor("jvrpc-heavy-").getVirtualThreadFactory();
        try { // of JDK 21, while this is compiled for 17
            executor = (ExecutorService) MethodHandles.publicLookup().findStatic(Executors.class,
                    "newThreadPerTaskExecutor", MethodType.methodType(ExecutorService.class, ThreadFactory.class))
                    .invoke(threads);
        } catch (Throwable e) {
            throw new IllegalStateException("this JDK has no virtual threads: " + e, e);
        }
    }

    ExecutorService executor() {
        return executor;
    }

    /** Takes no more; what still runs was given its time when the servers drained. */
    @Override
    public void close() {
        executor.shutdownNow();
    }
}
