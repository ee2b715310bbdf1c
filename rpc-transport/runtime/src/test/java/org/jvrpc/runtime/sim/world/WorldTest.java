package org.jvrpc.runtime.sim.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.RepeatedTest;

class WorldTest {

    /** The JVM's own threads enter some of the monitors that those of a world do, as that of the list of cleaners. */
    @RepeatedTest(20)
    void aMonitorThatAThreadOfNoWorldHoldsIsAsIfItWereFree() throws InterruptedException {
        assumeTrue(World.isPossible(), "simulations need a JDK 21 or later, whose threads a test can schedule");
        World world = new World(Choices.scripted(Script.of("")));
        SimProcess process = world.newProcess("process");
        List<String> events = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch entered = new CountDownLatch(1);
        Thread first = process.make(() -> events.add("first"), "first");
        Thread holder = new Thread(() -> {
            synchronized (events) {
                entered.countDown();
                while (first.getState() != Thread.State.BLOCKED && !Thread.interrupted()) {
                    Thread.onSpinWait();
                }
            }
        }, "holder");
        holder.start();
        try {
            entered.await();
            first.start();
            Thread second = process.start("second", () -> events.add("second"));
            world.run("the end", () -> first.getState() == Thread.State.TERMINATED
                    && second.getState() == Thread.State.TERMINATED, 1000);
        } finally {
            holder.interrupt();
            holder.join();
        }
        assertEquals(List.of("first", "second"), events);
    }
}
