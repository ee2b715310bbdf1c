package org.jvrpc.runtime.sim;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * What the calls of a simulation should have done, and did. Servers that follow each other at an address write into the
 * same book, as calls must not run twice.
 */
final class Book {

    /** The numbers of a caller's calls, one behind another. */
    static final long OF_A_CALLER = 1000;

    private final Map<Long, Integer> runs = new HashMap<>();
    private boolean ordered = true;
    private final Map<Long, Long> told = new HashMap<>();

    /** Sessions follow each other, and only those of one are in order. */
    void hasFaults() {
        ordered = false;
    }

    private void ran(long number) {
        if (runs.merge(number, 1, Integer::sum) > 1) {
            throw new Violation("call " + number + " ran twice");
        }
    }

    boolean hasRun(long number) {
        return runs.containsKey(number);
    }

    /** Makes a server's side. */
    Ledger ledger(SimProcess process) {
        return new Ledger() {

            @Override
            public long light(long number) {
                ran(number);
                return ~number;
            }

            @Override
            public long heavy(long number) {
                ran(number);
                work(process);
                return ~number;
            }

            @Override
            public CompletableFuture<Long> later(long number) {
                ran(number);
                CompletableFuture<Long> answer = new CompletableFuture<>();
                process.start("later", () -> {
                    work(process);
                    answer.complete(~number);
                });
                return answer;
            }

            @Override
            public byte[] bytes(long number, byte[] bytes) {
                ran(number);
                check(number, bytes);
                return bytes;
            }

            @Override
            public void tell(long number) {
                ran(number);
                Long last = told.put(number / OF_A_CALLER, number);
                if (ordered && last != null && number < last) {
                    throw new Violation("one-way call " + number + " ran behind " + last);
                }
            }
        };
    }

    private static void work(SimProcess process) {
        World world = process.world();
        Choices.Stream choices = world.choices("work");
        if (choices.rarely(2)) {
            process.parkNanos(world, 1_000L << choices.pick(14));
        }
    }

    static byte[] bytes(long number, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (number * 31 + i);
        }
        return bytes;
    }

    static void check(long number, byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != (byte) (number * 31 + i)) {
                throw new Violation("bytes of call " + number + " are others' at " + i + " of " + bytes.length);
            }
        }
    }
}
