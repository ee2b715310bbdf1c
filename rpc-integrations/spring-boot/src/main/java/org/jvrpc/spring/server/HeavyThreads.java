package org.jvrpc.spring.server;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * An executor with a virtual thread for each heavy call. Not itself a bean of an executor's type: the application's own
 * executor would step back from it.
 */
final class HeavyThreads implements AutoCloseable {

    /** For native images. Generated code of services brings its own. */
    static final class Hints implements RuntimeHintsRegistrar {
        @Override
        public void registerHints(RuntimeHints hints, ClassLoader loader) {
            hints.reflection().registerType(Executors.class, type -> type.withMethod(FACTORY,
                    List.of(TypeReference.of(ThreadFactory.class)), ExecutableMode.INVOKE));
        }
    }

    private static final String FACTORY = "newThreadPerTaskExecutor";

    private final ExecutorService executor;

    HeavyThreads() {
        ThreadFactory threads = new VirtualThreadTaskExecutor("jvrpc-heavy-").getVirtualThreadFactory();
        try { // of JDK 21, while this is compiled for 17
            executor = (ExecutorService) MethodHandles.publicLookup().findStatic(Executors.class,
                    FACTORY, MethodType.methodType(ExecutorService.class, ThreadFactory.class))
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
