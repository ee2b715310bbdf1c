package org.jvrpc.offload.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.construct.Conditions;
import org.jvrpc.offload.construct.Loops;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.queue.Field;
import org.jvrpc.offload.wr.Calculation;
import org.jvrpc.offload.wr.OrderException;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;

/** Programs that would not do what they say are refused, and the message names the WR. */
final class OrderCheckTest {

    private final Sketch sketch = new Sketch();
    private final ChainQueue worker = sketch.managed("W", 16);
    private final ChainQueue other = sketch.managed("R", 8);
    private final ChainQueue client = sketch.managed("T", 1).receives(4, false);
    private final Place data = Place.of(sketch.memory(256), 0, 256, "data");
    private final ProgramBuilder program = new ProgramBuilder("bad", sketch.memory(4096));

    private WorkRequest action() {
        return program.add(other, Wr.write(data.slice(0, 8), data.slice(8, 8)).signalled().dormant());
    }

    private static String refusal(Class<? extends Exception> type, Executable executable) {
        return assertThrows(type, executable).getMessage();
    }

    private void refused(String... parts) {
        String message = refusal(OrderException.class, program::build);
        for (String part : parts) {
            assertTrue(message.contains(part), message);
        }
    }

    @Test
    void anIfInDoorbellOrderIsBuilt() {
        Conditions.ifEqual(program, worker, null, action(), 1);
        program.startAll(worker);
        assertTrue(program.build().counts().within(1, 1, 3));
    }

    @Test
    void aTargetThatIsEnabledBeforeTheChangeWouldBePrefetched() {
        WorkRequest action = action();
        WorkRequest compare = Wr.turnOn(action, 1).signalled();
        program.add(worker, Wr.enable(action));
        program.add(worker, compare);
        program.add(worker, Wr.await(compare));
        program.startAll(worker);
        refused("R[0] NOP→WRITE is changed (image) by W[1] CAS", "prefetched", "WAIT");
    }

    @Test
    void aTargetThatTheKickEnablesWouldBePrefetched() {
        Conditions.ifEqual(program, worker, null, action(), 1);
        program.startAll(worker);
        program.startAll(other);
        refused("R[0] NOP→WRITE is changed (image) by W[0] CAS", "prefetched");
    }

    @Test
    void aTargetInAnUnmanagedQueueWouldBePrefetched() {
        ChainQueue unmanaged = sketch.unmanaged("U", 8);
        WorkRequest write = program.add(unmanaged, Wr.write(data.slice(0, 8), data.slice(8, 8)));
        program.add(worker, Wr.read(data.slice(16, 8), write.field(Field.REMOTE_ADDRESS)));
        program.startAll(worker);
        refused("U[0] WRITE is changed (raddr) by W[0] READ", "U is not managed: the WR would be prefetched");
    }

    @Test
    void whatATriggerBringsIsWaitedFor() {
        WorkRequest read = Wr.read(data.slice(0, 8), data.slice(8, 8));
        WorkRequest trigger = program.add(client, Wr.trigger(read.field(Field.REMOTE_ADDRESS)));
        program.add(worker, read);
        program.startAll(worker);
        refused("W[0] READ is changed (raddr) by T.RQ[0] RECV");
        ProgramBuilder right = new ProgramBuilder("good", sketch.memory(4096));
        WorkRequest second = Wr.read(data.slice(0, 8), data.slice(8, 8));
        ChainQueue queue = sketch.managed("V", 4);
        ChainQueue sender = sketch.managed("S", 1).receives(1, false);
        WorkRequest message = right.add(sender, Wr.trigger(second.field(Field.REMOTE_ADDRESS)));
        right.add(queue, Wr.await(message));
        right.add(queue, second);
        right.startAll(queue);
        assertEquals(1, right.build().modifications().size());
        assertEquals(4, trigger.queue().receives());
    }

    @Test
    void aWaitForAnotherQueuesWrOrdersWhatIsBehindIt() {
        WorkRequest action = action();
        ChainQueue third = sketch.managed("X", 8);
        WorkRequest compare = program.add(worker, Wr.turnOn(action, 1).signalled());
        program.add(third, Wr.await(compare));
        program.add(third, Wr.enable(action));
        program.startAll(worker);
        program.startAll(third);
        assertEquals(2, program.build().queues().indexOf(third));
    }

    @Test
    void aWaitThatMayBeANopOrdersNothing() {
        WorkRequest action = action();
        WorkRequest compare = program.add(worker, Wr.turnOn(action, 1).signalled());
        ChainQueue third = sketch.managed("X", 8);
        program.add(third, Wr.await(compare).dormant());
        program.add(third, Wr.enable(action));
        program.startAll(worker);
        program.startAll(third);
        refused("R[0] NOP→WRITE is changed (image) by W[0] CAS", "prefetched");
    }

    @Test
    void anEnableWhoseIndexIsReadMayAllowEverything() {
        WorkRequest action = action();
        WorkRequest nop = program.add(other, Wr.nop());
        WorkRequest enable = Wr.enableBlocks(other, 0);
        program.add(worker, Wr.read(data.slice(0, 4), enable.field(Field.PRODUCER_INDEX)));
        program.add(worker, enable);
        Conditions.ifEqual(program, worker, null, action, 1);
        program.add(worker, Wr.enable(nop));
        program.startAll(worker);
        refused("R[0] NOP→WRITE is changed (image) by W[2] CAS", "prefetched");
    }

    @Test
    void aChangeOfWhatRanBeforeIsRefused() {
        WorkRequest first = program.add(worker, Wr.read(data.slice(0, 8), data.slice(8, 8)));
        program.add(worker, Wr.read(data.slice(16, 8), first.field(Field.REMOTE_ADDRESS)));
        program.startAll(worker);
        refused("W[0] READ is changed (raddr) by W[1] READ only after it ran");
    }

    @Test
    void aWrThatNothingEnablesNeverRuns() {
        action();
        refused("R[0] NOP→WRITE never runs");
    }

    @Test
    void aStartOfAnotherQueueLetsNothingRun() {
        action();
        program.add(worker, Wr.nop());
        program.startAll(worker);
        refused("R[0] NOP→WRITE never runs");
    }

    @Test
    void aLoopThatNothingStartsNeverRuns() {
        WorkRequest nop = program.add(worker, Wr.nop().signalled());
        Recycler recycler = program.recycle();
        program.add(worker, Wr.await(nop));
        recycler.updateHere(worker);
        program.add(worker, Wr.enableNextLap(worker));
        refused("W[0] NOP never runs");
    }

    @Test
    void aWaitForAWrThatIsNotSignalledIsRefused() {
        WorkRequest nop = program.add(worker, Wr.nop());
        program.add(worker, Wr.await(nop));
        program.startAll(worker);
        refused("W[1] WAIT waits for W[0] NOP, which is not signalled");
    }

    @Test
    void aWrOfAnotherProgramIsNotChanged() {
        ProgramBuilder foreign = new ProgramBuilder("foreign", sketch.memory(4096));
        WorkRequest action = foreign.add(other, Wr.write(data.slice(0, 8), data.slice(8, 8)).dormant());
        program.add(worker, Wr.turnOn(action, 1));
        program.startAll(worker);
        refused("W[0] CAS changes NOP→WRITE of queue R, which is no WR of the program bad");
    }

    @Test
    void aQueueThatIsNotManagedIsNotEnabled() {
        ChainQueue unmanaged = sketch.unmanaged("U", 8);
        WorkRequest nop = program.add(unmanaged, Wr.nop());
        program.add(worker, Wr.enable(nop));
        program.startAll(worker);
        refused("enables U, which is not managed");
    }

    @Test
    void aProgramThatIsLongerThanItsQueueIsRefused() {
        for (int i = 0; i < 17; i++) {
            program.add(worker, Wr.nop());
        }
        program.startAll(worker);
        String message = refusal(IllegalArgumentException.class, program::build);
        assertTrue(message.contains("longer than its queue W: blocks=17 ring=16"), message);
    }

    @Test
    void anOperandOfMoreThan48BitsIsRefused() {
        WorkRequest action = action();
        for (long operand : new long[] {-1, 1L << 48, Long.MIN_VALUE}) {
            String message = refusal(IllegalArgumentException.class, () -> Wr.turnOn(action, operand));
            assertTrue(message.contains("operand=0x" + Long.toHexString(operand)), message);
            refusal(IllegalArgumentException.class, () -> Wr.nop().dormant(operand));
        }
    }

    @Test
    void aReceiveOrReadOfMoreThan16SgesIsRefused() {
        Place[] places = new Place[17];
        for (int i = 0; i < 17; i++) {
            places[i] = data.slice(i, 1);
        }
        program.add(client, Wr.trigger(places));
        String message = refusal(IllegalArgumentException.class, program::build);
        assertTrue(message.contains("T.RQ[0] RECV") && message.contains("SGEs=17"), message);
        ProgramBuilder second = new ProgramBuilder("second", sketch.memory(4096));
        second.add(worker, Wr.read(data.slice(0, 17), places));
        second.startAll(worker);
        message = refusal(IllegalArgumentException.class, second::build);
        assertTrue(message.contains("W[0] READ") && message.contains("SGEs=17"), message);
    }

    @Test
    void misalignedOrOddAtomicsAreRefused() {
        program.add(worker, Wr.fetchAndAdd(data.slice(4, 8), 1, null));
        program.startAll(worker);
        String message = refusal(IllegalArgumentException.class, program::build);
        assertTrue(message.contains("W[0] FA") && message.contains("aligned to 8"), message);
        ProgramBuilder second = new ProgramBuilder("second", sketch.memory(4096));
        second.add(worker, Wr.compareAndSwap(data.slice(0, 4), 1, 2, null));
        second.startAll(worker);
        message = refusal(IllegalArgumentException.class, second::build);
        assertTrue(message.contains("target=4"), message);
    }

    @Test
    void lengthsThatDoNotFitAreRefused() {
        program.add(worker, Wr.write(data.slice(0, 8), data.slice(8, 4)));
        program.startAll(worker);
        String message = refusal(IllegalArgumentException.class, program::build);
        assertTrue(message.contains("bytes of its SGEs=4 bytes of the remote place=8"), message);
        ProgramBuilder second = new ProgramBuilder("second", sketch.memory(4096));
        second.add(worker, Wr.calculate(Calculation.ADD, data.slice(0, 8), data.slice(8, 12)));
        second.startAll(worker);
        assertTrue(refusal(IllegalArgumentException.class, second::build).contains("bytes=12"));
    }

    @Test
    void aTriggerThatMayComeAgainWhileItsArgumentsAreInUseIsRefusedInALoop() {
        WorkRequest read = Wr.read(data.slice(0, 8), data.slice(8, 8)).signalled();
        WorkRequest trigger = program.add(client, Wr.trigger(read.field(Field.REMOTE_ADDRESS)));
        program.add(worker, Wr.await(trigger));
        program.add(worker, read);
        program.recycle().updateHere(worker);
        program.add(worker, Wr.enableNextLap(worker));
        program.start(Wr.enableLap(worker));
        refused("W[1] READ is changed (raddr) by T.RQ[0] RECV", "may change while it runs");
    }

    @Test
    void aLoopWhoseNextLapDoesNotWaitForItsActionIsRefused() {
        WorkRequest action = action();
        Recycler recycler = program.recycle();
        program.add(worker, Loops.restore(program, action));
        WorkRequest compare = program.add(worker, Wr.turnOn(action, 1).signalled());
        program.add(worker, Wr.await(compare));
        recycler.updateHere(worker);
        program.add(worker, Wr.enable(action));
        program.add(worker, Wr.enableNextLap(worker));
        program.start(Wr.enableLap(worker));
        refused("R[0] NOP→WRITE is changed (image) by W[0] WRITE", "next lap");
    }

    @Test
    void aWaitForTheLapBeforeOrdersNothingWithinALap() {
        WorkRequest target = program.add(other, Wr.write(data.slice(0, 8), data.slice(8, 8)).signalled());
        ChainQueue third = sketch.managed("X", 1);
        WorkRequest change = program.add(
                third, Wr.read(data.slice(16, 8), target.field(Field.REMOTE_ADDRESS)).signalled());
        program.add(worker, Wr.enable(change));
        program.add(worker, Wr.await(change, -1));
        program.recycle().updateHere(worker);
        program.add(worker, Wr.enable(target));
        program.add(worker, Wr.await(target));
        program.add(worker, Wr.enableNextLap(worker));
        program.start(Wr.enableLap(worker));
        refused("R[0] WRITE is changed (raddr) by X[0] READ", "nothing orders the two within a lap");
    }

    @Test
    void aFieldThatAWrDoesNotHaveIsRefused() {
        String message = refusal(IllegalArgumentException.class, () -> Wr.nop().field(Field.RKEY));
        assertTrue(message.contains("has no field RKEY"), message);
        WorkRequest write = Wr.write(data.slice(0, 8), data.slice(8, 8));
        message = refusal(IllegalArgumentException.class, () -> write.data(1, Field.DATA_ADDRESS));
        assertTrue(message.contains("segment 1"), message);
        assertEquals(List.of(3, 3), write.operand().stream().map(Place::length).toList());
    }

    @Test
    void programMemoryIsGivenOutToItsEnd() {
        ProgramBuilder small = new ProgramBuilder("small", sketch.memory(16));
        small.variable("first", 8, 8);
        assertEquals(8, small.variable("second", 8, 8).length());
    }

    @Test
    void programMemoryThatIsTooSmallIsRefused() {
        ProgramBuilder small = new ProgramBuilder("small", sketch.memory(16));
        small.variable("first", 12, 8);
        String message = refusal(IllegalArgumentException.class, () -> small.variable("second", 8, 8));
        assertTrue(message.contains("second: needs=24 bytes=16"), message);
    }
}
