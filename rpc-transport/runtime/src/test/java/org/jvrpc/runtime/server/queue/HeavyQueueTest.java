package org.jvrpc.runtime.server.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;

/** Calls that leave the queue without their turn, and what the executor has of them. */
class HeavyQueueTest {

    private static final int LIMIT = 4;

    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private boolean refuses;
    private final HeavyQueue queue = new HeavyQueue(task -> {
        if (refuses) {
            throw new RejectedExecutionException("planted");
        }
        tasks.add(task);
    }, LIMIT);
    private final HeavyQueue.Line line = new HeavyQueue.Line();
    private final HeavyQueue.Line other = new HeavyQueue.Line();
    private final List<String> ran = new ArrayList<>();

    private final class Call implements HeavyQueue.Task {

        private final String name;
        private final boolean oneWay;

        Call(String name) {
            this(name, false);
        }

        Call(String name, boolean oneWay) {
            this.name = name;
            this.oneWay = oneWay;
        }

        @Override
        public boolean isAnswered() {
            return !oneWay;
        }

        @Override
        public void dequeued() {
            // nobody counts
        }

        @Override
        public void refuse(Throwable why) {
            ran.add(name + " refused");
        }

        @Override
        public void run() {
            ran.add(name);
            if (oneWay) {
                queue.oneWayOver();
            }
        }
    }

    private Call add(HeavyQueue.Line to, String name) {
        Call call = new Call(name);
        queue.add(to, call);
        return call;
    }

    private void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    @Test
    void aCallThatLeavesIsNotRunAndItsTaskIsTheNextCalls() {
        Call gone = add(line, "gone");
        assertTrue(queue.withdraw(line, gone));
        assertFalse(queue.withdraw(line, gone), "it left before");
        add(line, "next");
        assertEquals(1, tasks.size());
        runAll();
        assertEquals(List.of("next"), ran);
    }

    @Test
    void aCallWhoseTurnHasComeLeavesNoMore() {
        Call call = add(line, "call");
        runAll();
        assertFalse(queue.withdraw(line, call));
        add(line, "next");
        assertEquals(1, tasks.size());
    }

    @Test
    void theTasksOfCallsThatLeftRunNothing() {
        queue.withdraw(line, add(line, "gone"));
        runAll();
        assertEquals(List.of(), ran);
        add(line, "next");
        assertEquals(1, tasks.size(), "the task that ran nothing is nobody's");
        runAll();
        assertEquals(List.of("next"), ran);
    }

    @Test
    void callsThatLeaveMakeRoomAndTheExecutorHasNoMoreTasksThanCallsWaited() {
        for (int i = 0; i < 1000; i++) {
            queue.withdraw(line, add(line, "gone"));
        }
        for (int i = 0; i < LIMIT; i++) {
            add(other, "call" + i);
        }
        assertThrows(RpcException.class, () -> add(other, "one more"));
        assertEquals(LIMIT, tasks.size());
        runAll();
        assertEquals(List.of("call0", "call1", "call2", "call3"), ran);
    }

    @Test
    void aSessionWhoseCallsLeaveHasNoTurn() {
        Call gone = add(line, "gone");
        add(other, "first");
        add(other, "second");
        queue.withdraw(line, gone);
        add(line, "third");
        runAll();
        assertEquals(List.of("first", "third", "second"), ran);
    }

    @Test
    void aOneWayCallThatLeavesIsOver() {
        Call tick = new Call("tick", true);
        queue.add(line, tick);
        assertTrue(queue.hasOneWays());
        assertTrue(queue.withdraw(line, tick));
        assertFalse(queue.hasOneWays());
    }

    @Test
    void anExecutorThatRefusesWhileACallLeavesRefusesNobody() {
        ArrayDeque<Runnable> taken = new ArrayDeque<>();
        HeavyQueue[] strange = new HeavyQueue[1];
        Call[] first = new Call[1];
        strange[0] = new HeavyQueue(task -> {
            if (taken.isEmpty()) {
                taken.add(task);
            } else {
                strange[0].withdraw(line, first[0]); // its caller gives up just now
                throw new RejectedExecutionException("planted");
            }
        }, LIMIT);
        first[0] = new Call("first");
        strange[0].add(line, first[0]);
        strange[0].add(line, new Call("second"));
        taken.poll().run();
        assertEquals(List.of("second"), ran);
    }

    /** What waits, as the test knows it. */
    private final List<Call> waiting = new ArrayList<>();

    private void comes(Random random, int number) {
        Call call = new Call("call" + number, random.nextInt(4) == 0);
        refuses = random.nextInt(10) == 0;
        try {
            queue.add(random.nextBoolean() ? line : other, call);
            waiting.add(call);
        } catch (RpcException e) {
            assertTrue(waiting.size() >= LIMIT || refuses, e.getMessage());
        }
    }

    private void leaves(Random random) {
        if (!waiting.isEmpty()) {
            Call call = waiting.remove(random.nextInt(waiting.size()));
            assertTrue(queue.withdraw(line, call) || queue.withdraw(other, call), call.name);
        }
    }

    private void runs() {
        if (!tasks.isEmpty()) {
            tasks.poll().run();
            ran.forEach(name -> assertTrue(waiting.removeIf(call -> call.name.equals(name)), name + " did not wait"));
            ran.clear();
        }
    }

    @Test
    void whateverComesAndLeavesAllThatWaitHaveATask() {
        long seed = Long.getLong("jvrpc.seed", System.nanoTime());
        System.out.println("whateverComesAndLeaves: -Djvrpc.seed=" + seed);
        Random random = new Random(seed);
        for (int step = 0; step < 50_000; step++) {
            switch (random.nextInt(4)) {
                case 0, 1 -> comes(random, step);
                case 2 -> leaves(random);
                default -> runs();
            }
            assertTrue(tasks.size() >= waiting.size(), "tasks=" + tasks.size() + " waiting=" + waiting.size());
        }
        while (!tasks.isEmpty()) {
            runs();
        }
        assertEquals(List.of(), waiting);
        assertFalse(queue.hasOneWays());
    }
}
