package org.jvrpc.testing.crash;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Collectors;
import org.jvrpc.testing.Parent;

/**
 * Counts the stores to shared memory, and the calls that change files, locks and sockets, of one thread of a child
 * process, and ends or stops it behind one of them. What {@link StoreInstrumentation} added calls {@link #stored}.
 */
public final class StorePoints {

    /** Exit status of a process that was halted at its point. */
    public static final int HALTED = 87;
    /** What a child says that has ended at its point; the place follows. */
    public static final String HALTS = "HALTS ";
    /** What a child says that stands at its point until it is told {@link #GO_ON}; the place follows. */
    public static final String STANDS = "STANDS ";
    /** What a child is told that stands at its point. */
    public static final String GO_ON = "GO ON";

    private static final int FRAMES = 4;

    /** What happens at the point. */
    public enum Action {
        /** The process ends at once, as by SIGKILL. */
        HALT,
        /** The thread stands until the parent says {@link #GO_ON}; the process lives. */
        STAND
    }

    private static volatile Thread counted;
    // By the counted thread alone.
    private static long count;
    private static long point;
    private static Action action;

    private StorePoints() {
    }

    /**
     * From now on the stores of this thread count.
     *
     * @param at the store behind which the action is taken, from 1; 0 for none
     */
    public static void arm(long at, Action what) {
        count = 0;
        point = at;
        action = what;
        counted = Thread.currentThread();
    }

    /** From now on the stores of this thread count in place of those of the one that {@link #arm} was called by. */
    public static void countHere() {
        if (counted == null) {
            throw new IllegalStateException("no stores count");
        }
        counted = Thread.currentThread();
    }

    /** Ends it; returns how many stores there were. */
    public static long disarm() {
        counted = null;
        return count;
    }

    /** A store is done. Called by instrumented code; nothing unless this thread's stores count. */
    public static void stored() {
        if (counted == Thread.currentThread() && ++count == point) {
            reached();
        }
    }

    /** In place of the copy of many bytes: half of them, a point, the others. Called by instrumented code. */
    public static ByteBuffer put(ByteBuffer to, int at, ByteBuffer from, int offset, int length) {
        int half = length / 2;
        to.put(at, from, offset, half);
        stored();
        return to.put(at + half, from, offset + half, length - half);
    }

    /** As {@link #put(ByteBuffer, int, ByteBuffer, int, int)}. */
    public static ByteBuffer put(ByteBuffer to, int at, byte[] from, int offset, int length) {
        int half = length / 2;
        to.put(at, from, offset, half);
        stored();
        return to.put(at + half, from, offset + half, length - half);
    }

    /** As {@link #put(ByteBuffer, int, ByteBuffer, int, int)}. */
    public static ByteBuffer put(ByteBuffer to, byte[] from, int offset, int length) {
        int half = length / 2;
        to.put(from, offset, half);
        stored();
        return to.put(from, offset + half, length - half);
    }

    private static void reached() {
        counted = null; // what follows may store, too
        Parent.say((action == Action.HALT ? HALTS : STANDS) + place());
        if (action == Action.HALT) {
            Runtime.getRuntime().halt(HALTED);
        }
        try {
            String told = Parent.told();
            if (!told.equals(GO_ON)) {
                throw new IllegalStateException("told " + told);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted at a store", e);
        }
        counted = Thread.currentThread();
    }

    /** Returns the innermost frames of instrumented code. */
    private static String place() {
        List<String> frames = StackWalker.getInstance().walk(all -> all
                .filter(frame -> !frame.getClassName().equals(StorePoints.class.getName()))
                .limit(FRAMES)
                .map(frame -> frame.getClassName().replaceAll(".*[.]", "") + "." + frame.getMethodName() + ":"
                        + frame.getLineNumber())
                .collect(Collectors.toList()));
        return String.join(" < ", frames);
    }
}
