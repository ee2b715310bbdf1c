package org.jvrpc.testing.crash;

import java.util.List;
import java.util.Map;
import org.jvrpc.testing.Parent;

/**
 * The child's side of an operation. A class with a main method that hands its arguments to {@link #run} makes itself
 * ready, says {@link #READY}, waits for {@link #GO}, does the operation with its stores counted, and says {@link #DONE}
 * with their number, unless it was halted before.
 */
public final class CrashVictim {

    static final String READY = "READY";
    static final String GO = "GO";
    static final String DONE = "DONE ";

    private CrashVictim() {
    }

    /** What a child does. */
    @FunctionalInterface
    public interface Operation {

        /**
         * Makes ready.
         *
         * @param arguments of {@link CrashScene#begin}
         * @return the operation
         */
        Runnable prepare(List<String> arguments);
    }

    /** @param arguments as {@link CrashRounds} gives them: the operation's name, the point, the action, the scene's */
    public static void run(Map<String, Operation> operations, String[] arguments)
            throws InterruptedException {
        List<String> all = List.of(arguments);
        Runnable operation = operations.get(all.get(0)).prepare(all.subList(3, all.size()));
        Parent.say(READY);
        if (!Parent.told().equals(GO)) {
            throw new IllegalStateException();
        }
        StorePoints.arm(Long.parseLong(all.get(1)), StorePoints.Action.valueOf(all.get(2)));
        operation.run();
        Parent.say(DONE + StorePoints.disarm());
        Parent.idle();
    }
}
