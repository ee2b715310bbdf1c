package org.jvrpc.runtime.sim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.sim.world.Choices;
import org.jvrpc.runtime.sim.world.SimProcess;
import org.jvrpc.runtime.sim.world.Violation;
import org.jvrpc.runtime.sim.world.World;

/**
 * What the calls of a simulation should have done, and did. Servers that follow each other at an address write into the
 * same book, as calls must not run twice.
 */
final class Book {

    /** The numbers of a caller's calls, one behind another. */
    static final long OF_A_CALLER = 1000;

    private final Map<Long, Integer> runs = new HashMap<>();
    private final Map<SimProcess, List<Runnable>> hung = new HashMap<>();
    /** One-way calls that were made. */
    private final List<Long> sent = new ArrayList<>();
    private boolean ordered = true;
    private boolean released;
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

    /** A one-way call was made, without an exception. */
    void sent(long number) {
        sent.add(number);
    }

    /** When all clients and servers have closed, in order. */
    void checkSent() {
        for (long number : sent) {
            if (ordered && !hasRun(number)) {
                throw new Violation("one-way call " + number + " has not run");
            }
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
                if (neverAnswers(process.world())) {
                    hung.computeIfAbsent(process, of -> new ArrayList<>()).add(() -> answer.complete(~number));
                } else {
                    process.start("later", () -> {
                        work(process);
                        answer.complete(~number);
                    });
                }
                return answer;
            }

            @Override
            public byte[] bytes(long number, byte[] bytes) {
                ran(number);
                check(number, bytes);
                return bytes;
            }

            @Override
            public long fail(long number) {
                ran(number);
                throw new RpcException(Status.NOT_FOUND, "call " + number);
            }

            @Override
            public byte[] fill(long number, int length) {
                ran(number);
                return Book.bytes(number, length);
            }

            @Override
            public void tellHeavy(long number) {
                ran(number);
                work(process);
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

    /** Has what hangs at a server answered after all, and nothing hang any more. A thread of its process. */
    void release(SimProcess process) {
        released = true;
        hung.getOrDefault(process, List.of()).forEach(Runnable::run);
    }

    /** Once in a while, where there are faults, one of which it is. */
    private boolean neverAnswers(World world) {
        return !ordered && !released && world.choices("work").rarely(4);
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
