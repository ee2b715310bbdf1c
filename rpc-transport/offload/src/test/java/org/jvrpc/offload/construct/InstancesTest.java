package org.jvrpc.offload.construct;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.offload.ChainRig;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;

/** Programs that follow one another over the same queues, and what comes of those that the check refuses. */
final class InstancesTest {

    private final ChainRig rig = new ChainRig();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void programsFollowOneAnotherPastTheEndOfTheirRings() {
        ChainQueue worker = rig.worker("W", 8);
        ChainQueue answers = rig.worker("R", 4);
        ChainRig.Trigger client = rig.trigger("T", false, 2);
        Place result = rig.word("result", 0);
        for (int i = 0; i < 100; i++) {
            ProgramBuilder builder = new ProgramBuilder("instance " + i, rig.pd.allocate(256, ChainRig.ALL));
            WorkRequest action = builder.add(
                    answers, Wr.write(result, builder.constant("number", i)).signalled().dormant());
            List<Place> operand = action.operand();
            WorkRequest trigger = builder.add(
                    client.queue(), Wr.trigger(builder.scratch().slice(0, 2), operand.get(0), operand.get(1)));
            Conditions.ifEqual(builder, worker, trigger, action, 5);
            builder.add(worker, Wr.await(action));
            builder.startAll(worker);
            Program program = builder.build();
            assertEquals(5 * i, program.sends(worker).get(0).block());
            rig.run(program);
            client.send(i % 2 == 0 ? 5 : 6);
            rig.settle();
            client.reap();
            assertEquals(i - i % 2, rig.get(result));
        }
    }

    @Test
    void aProgramThatTheCheckRefusesDoesComeOutWrong() {
        Place result = rig.word("result", 0);
        for (boolean inOrder : new boolean[] {true, false}) {
            rig.put(result, 0);
            ChainQueue worker = rig.worker("W" + inOrder, 8);
            ChainQueue answers = rig.worker("R" + inOrder, 1);
            ProgramBuilder builder = new ProgramBuilder("order", rig.pd.allocate(256, ChainRig.ALL));
            WorkRequest action = builder.add(
                    answers, Wr.write(result, builder.constant("one", 1)).signalled().dormant());
            WorkRequest compare = Wr.turnOn(action, 0).signalled();
            if (!inOrder) {
                builder.add(worker, Wr.enable(action));
                builder.add(worker, Wr.await(action));
            }
            builder.add(worker, compare);
            builder.add(worker, Wr.await(compare));
            if (inOrder) {
                builder.add(worker, Wr.enable(action));
            }
            builder.startAll(worker);
            Program program = builder.build(inOrder);
            rig.run(program);
            assertEquals(inOrder ? 1 : 0, rig.get(result));
        }
    }

    @Test
    void aProgramOfAnUnmanagedQueueRunsWhenItIsLoaded() {
        ChainQueue unmanaged = rig.queue("U", 8, false);
        Place result = rig.word("result", 0);
        ProgramBuilder builder = new ProgramBuilder("at once", rig.memory);
        builder.add(unmanaged, Wr.write(result, builder.constant("seven", 7)));
        builder.add(unmanaged, Wr.fetchAndAdd(result, 1L << 56, null));
        Program program = builder.build();
        program.load();
        assertEquals(8, rig.get(result), "it ran when its doorbell rang");
    }

    @Test
    void aReceiveQueueThatIsFullIsNamed() {
        ChainRig.Trigger client = rig.trigger("T", false, 1);
        ProgramBuilder builder = new ProgramBuilder("two", rig.memory);
        builder.add(client.queue(), Wr.trigger(builder.scratch()));
        builder.build().load();
        ProgramBuilder second = new ProgramBuilder("three", rig.data);
        second.add(client.queue(), Wr.trigger(second.scratch()));
        Program program = second.build();
        IllegalStateException refusal = assertThrows(IllegalStateException.class, program::load);
        assertTrue(refusal.getMessage().contains("receive queue of T is full: receives=1 accepted=0"),
                refusal.getMessage());
    }
}
