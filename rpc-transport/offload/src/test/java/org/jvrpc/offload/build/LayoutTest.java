package org.jvrpc.offload.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.queue.ChainCq;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.queue.Field;
import org.jvrpc.offload.wr.OrderException;
import org.jvrpc.offload.wr.OrderRequest;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;

/** Which blocks WRs get, and what WAITs and ENABLEs count. */
final class LayoutTest {

    private final Sketch sketch = new Sketch();
    private final Place data = Place.of(sketch.memory(256), 0, 256, "data");
    private final ChainCq shared = new ChainCq("shared", 9, 0);
    private ProgramBuilder program = next();

    private ProgramBuilder next() {
        program = new ProgramBuilder("laid out", sketch.memory(4096));
        return program;
    }

    /** A queue whose sends complete in a CQ. */
    private ChainQueue queue(String name, int number, ChainCq cq) {
        return ChainQueue.sketch(name, number, 8, sketch.memory(512), cq, null);
    }

    private WorkRequest trigger() {
        return Wr.trigger(data.slice(0, 8));
    }

    private static int index(WorkRequest order) {
        return ((OrderRequest) order).index();
    }

    private <E extends Exception> void refused(Class<E> type, String why) {
        String message = assertThrows(type, program::build).getMessage();
        assertTrue(message.endsWith(why), message);
    }

    /** A loop over a queue. */
    private void loop(ChainQueue worker) {
        WorkRequest nop = program.add(worker, Wr.nop().signalled());
        program.add(worker, Wr.await(nop));
        program.recycle().updateHere(worker);
        program.add(worker, Wr.enableNextLap(worker));
        program.start(Wr.enableLap(worker));
    }

    @Test
    void theReceivesOfTheNextProgramAreCountedOn() {
        ChainQueue client = sketch.managed("T", 1).receives(8, true);
        program.add(client, trigger());
        program.start(Wr.enable(program.add(client, trigger())));
        program.build();
        next();
        WorkRequest third = program.add(client, trigger());
        WorkRequest fourth = program.add(client, trigger());
        WorkRequest enable = Wr.enable(fourth);
        program.start(enable);
        program.build();
        assertEquals(2, third.block());
        assertEquals(3, fourth.block());
        assertEquals(4, index(enable));
    }

    @Test
    void receivesAreNotCountedInAQueueThatNobodySaidTheRingOf() {
        ChainQueue client = sketch.managed("T", 1);
        assertEquals(0, client.receives());
        program.add(client, trigger());
        assertEquals(1, program.build().triggers(client).size());
    }

    @Test
    void asManyTriggersAsTheReceiveRingHoldsAreBuiltAndNoMore() {
        ChainQueue client = sketch.managed("T", 1).receives(2, false);
        program.add(client, trigger());
        program.add(client, trigger());
        program.build();
        next();
        for (int i = 0; i < 3; i++) {
            program.add(client, trigger());
        }
        refused(IllegalArgumentException.class, "receive queue of T: triggers=3 ring=2");
    }

    @Test
    void theReceiveRingOfALoopIsAMultipleOfItsTriggers() {
        ChainQueue client = sketch.managed("T", 1).receives(4, false);
        for (int i = 0; i < 3; i++) {
            program.add(client, trigger());
        }
        loop(sketch.managed("W", 8));
        refused(IllegalArgumentException.class, "no multiple of a lap's triggers: triggers=3 ring=4");
    }

    @Test
    void theSendRingOfAQueueThatOnlyReceivesIsNotFilledUp() {
        ChainQueue client = sketch.managed("T", 4).receives(4, false);
        program.over(client);
        program.add(client, trigger());
        loop(sketch.managed("W", 8));
        assertEquals(0, program.build().sends(client).size());
    }

    @Test
    void aLoopMayBeginWhereItsRingBeginsAgain() {
        ChainQueue worker = sketch.managed("W", 8);
        for (int i = 0; i < 8; i++) {
            program.add(worker, Wr.nop());
        }
        program.startAll(worker);
        program.build();
        next();
        loop(worker);
        Program loop = program.build();
        assertEquals(8, loop.sends(worker).get(0).block());
    }

    @Test
    void aLoopDoesNotBeginInTheMiddleOfItsRing() {
        ChainQueue worker = sketch.managed("W", 8);
        program.add(worker, Wr.nop());
        program.startAll(worker);
        program.build();
        next();
        loop(worker);
        refused(IllegalArgumentException.class, "W head=1");
    }

    /** Of a program that is run once; that of a loop reaches to the end of the ring. */
    @Test
    void theLastStageReachesToTheEndOfTheProgram() {
        ChainQueue worker = new Sketch(true).managed("W", 16);
        program.add(worker, Wr.nop());
        program.startAll(worker);
        program.build();
        next();
        program.add(worker, Wr.nop());
        WorkRequest stage = program.stage(worker).get(0);
        program.add(worker, Wr.nop());
        program.startAll(worker);
        program.build();
        assertEquals(1 + 3, index(stage));
    }

    @Test
    void aWaitForTheLapBeforeCountsAsManyCompletionsLess() {
        ChainQueue worker = sketch.managed("W", 16);
        ChainQueue other = sketch.managed("R", 2);
        WorkRequest target = program.add(other, Wr.write(data.slice(0, 8), data.slice(8, 8)).signalled());
        WorkRequest second = program.add(other, Wr.nop().signalled());
        WorkRequest wait = program.add(worker, Wr.await(second, -1));
        WorkRequest change = program.add(
                worker, Wr.read(data.slice(16, 8), target.field(Field.REMOTE_ADDRESS)).signalled());
        program.add(worker, Wr.await(change));
        program.recycle().updateHere(worker);
        program.add(worker, Wr.enable(second));
        program.add(worker, Wr.enableNextLap(worker));
        program.start(Wr.enableLap(worker));
        program.build(); // which proves that the next change comes after the target
        assertEquals(1 - 2, index(wait));
    }

    @Test
    void aWaitForTheNextLapCountsAsManyCompletionsMore() {
        ChainQueue worker = sketch.managed("W", 8);
        WorkRequest ahead = program.add(sketch.managed("R", 1), Wr.nop().signalled());
        program.add(worker, Wr.enable(ahead, 1));
        WorkRequest wait = program.add(worker, Wr.await(ahead, 1));
        program.recycle().updateHere(worker);
        program.add(worker, Wr.enableNextLap(worker));
        program.start(Wr.enableLap(worker));
        program.build();
        assertEquals(1, index(wait));
    }

    @Test
    void aCqOfTwoQueuesIsWaitedForByNobodysWr() {
        ChainQueue first = queue("A", 1, shared);
        WorkRequest nop = program.add(first, Wr.nop().signalled());
        program.add(queue("B", 2, shared), Wr.nop().signalled());
        program.add(sketch.managed("W", 4), Wr.await(nop));
        refused(OrderException.class, "waits for A[0] NOP, but its CQ shared has several sources: say which one");
    }

    @Test
    void aCqOfTwoQueuesDoesNotMatterToThoseOfOthers() {
        ChainQueue worker = sketch.managed("W", 4);
        WorkRequest nop = program.add(worker, Wr.nop().signalled());
        ChainQueue first = queue("A", 1, shared);
        ChainQueue second = queue("B", 2, shared);
        program.add(first, Wr.nop().signalled());
        program.add(second, Wr.nop().signalled());
        WorkRequest wait = program.add(worker, Wr.await(nop));
        program.startAll(first);
        program.startAll(second);
        program.startAll(worker);
        program.build();
        assertEquals(0, index(wait));
        assertEquals(2, shared.produced());
    }

    @Test
    void aWrOfAnotherProgramIsNotWaitedFor() {
        ChainQueue worker = sketch.managed("W", 4);
        WorkRequest foreign = program.add(worker, Wr.nop().signalled());
        program.startAll(worker);
        program.build();
        next();
        program.add(sketch.managed("R", 4), Wr.await(foreign));
        refused(OrderException.class, "waits for W[0] NOP, but its CQ W.cq is not the program's");
    }

    @ParameterizedTest
    @CsvSource({"true, ' enables T, which is not managed for receives'", "false, ' enables T, which is not managed'"})
    void onlyAManagedQueueIsEnabled(boolean receive, String why) {
        ChainQueue client = sketch.unmanaged("T", 4).receives(4, false);
        WorkRequest wr = program.add(client, receive ? trigger() : Wr.nop());
        program.add(sketch.managed("W", 4), Wr.enable(wr));
        refused(OrderException.class, why);
    }
}
