package org.jvrpc.runtime.sim.world;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.concurrent.Executor;

/** What worlds need of virtual threads that the JDK shows nobody: from 21 on, with --add-opens java.base/java.lang. */
final class JdkThreads {

    private static final MethodHandle MAKE = make();
    private static final Field ID = id();
    private static final VarHandle STATE = state();
    private static final int UNBLOCKED = unblocked();

    private JdkThreads() {
    }

    static boolean arePossible() {
        return MAKE != null && ID != null;
    }

    /** Makes a thread with a scheduler and a number of its own, which is not started. */
    static Thread make(Executor scheduler, String name, Runnable task, long id) {
        try {
            Thread thread = (Thread) MAKE.invokeExact(scheduler, name, 0, task);
            ID.setLong(thread, id);
            return thread;
        } catch (Throwable t) {
            throw new IllegalStateException("no thread of one's own scheduler on this JVM", t);
        }
    }

    /** Returns true when a monitor that the thread waited for was left, and it has not gone on yet. */
    static boolean isUnblocked(Thread thread) {
        return STATE != null && (int) STATE.getVolatile(thread) == UNBLOCKED;
    }

    private static MethodHandle make() {
        try {
            Class<?> builders = Class.forName("java.lang.ThreadBuilders");
            return MethodHandles.privateLookupIn(builders, MethodHandles.lookup()).findStatic(builders,
                    "newVirtualThread", MethodType.methodType(
                            Thread.class, Executor.class, String.class, int.class, Runnable.class));
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null;
        }
    }

    private static Field id() {
        try {
            Field id = Thread.class.getDeclaredField("tid");
            id.setAccessible(true);
            return id;
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null;
        }
    }

    private static VarHandle state() {
        try {
            Class<?> type = Class.forName("java.lang.VirtualThread");
            return MethodHandles.privateLookupIn(type, MethodHandles.lookup()).findVarHandle(type, "state", int.class);
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null;
        }
    }

    private static int unblocked() {
        try {
            Field unblocked = Class.forName("java.lang.VirtualThread").getDeclaredField("UNBLOCKED");
            unblocked.setAccessible(true);
            return unblocked.getInt(null);
        } catch (ReflectiveOperationException | RuntimeException e) {
            return -1; // before JDK 24 whoever waits for a monitor keeps the processor
        }
    }
}
