package org.jvrpc.offload.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.queue.Field;
import org.jvrpc.offload.wr.OrderException;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;

/** What is complete before an ENABLE on a device that has several WRs of a queue under way. */
final class PrefetchOrderTest {

    private final Sketch sketch = new Sketch(true);
    private final ChainQueue worker = sketch.managed("W", 32);
    private final ChainQueue other = sketch.managed("R", 8);
    private final Place data = Place.of(sketch.memory(256), 0, 256, "data");
    private final ProgramBuilder program = new ProgramBuilder("prefetched", sketch.memory(4096));
    private final WorkRequest target = Wr.write(data.slice(0, 8), data.slice(8, 8));

    /** What reads the target's address into it. */
    private WorkRequest change() {
        return Wr.read(data.slice(16, 8), target.field(Field.REMOTE_ADDRESS));
    }

    private WorkRequest copy() {
        return Wr.write(data.slice(24, 8), data.slice(32, 8));
    }

    /** Has W run these, then enable the target. */
    private void enabledBehind(WorkRequest... wrs) {
        program.add(other, target);
        for (WorkRequest wr : wrs) {
            program.add(worker, wr);
        }
        program.add(worker, Wr.enable(target));
        program.startAll(worker);
    }

    private void built() {
        assertEquals(1, program.build().modifications().size());
    }

    private void refused(String when) {
        String message = assertThrows(OrderException.class, program::build).getMessage();
        assertTrue(message.contains("R prefetches, and may do so when " + when), message);
    }

    @Test
    void aChangeThatNothingWaitsForMayComeAfterTheEnableBehindIt() {
        enabledBehind(change());
        refused("W[1] SEND_ENABLE");
    }

    @Test
    void aFencedWrWaitsForTheReadBeforeIt() {
        enabledBehind(change(), copy(), copy().fenced());
        built();
    }

    @Test
    void aFencedWrWaitsForTheAtomicBeforeIt() {
        enabledBehind(Wr.turnOn(target.dormant(), 1), copy(), copy().fenced());
        built();
    }

    @Test
    void aWrWithoutAFenceWaitsForNothing() {
        enabledBehind(change(), copy());
        refused("W[2] SEND_ENABLE");
    }

    @Test
    void aFenceDoesNotWaitForAWrite() {
        enabledBehind(Wr.write(target.field(Field.REMOTE_ADDRESS), data.slice(16, 8)), copy().fenced());
        refused("W[2] SEND_ENABLE");
    }

    @Test
    void aFencedWrWaitsForWhatIsBeforeTheRead() {
        enabledBehind(Wr.write(target.field(Field.REMOTE_ADDRESS), data.slice(16, 8)),
                Wr.read(data.slice(0, 8), data.slice(8, 8)), copy().fenced());
        built();
    }

    @Test
    void aWaitForALaterWrIsOneForTheChange() {
        WorkRequest later = copy().signalled();
        enabledBehind(change(), later, Wr.await(later));
        built();
    }

    @Test
    void whatAStartAllowsIsFetchedBeforeAChangeOfTheProgram() {
        program.add(other, change());
        program.add(other, target);
        program.startAll(other);
        refused("the start enables it");
    }

    /** In the first lap, the target is enabled behind its change; in the others, that ENABLE of the lap before is. */
    @Test
    void anEnableThatReachesIntoTheNextLapIsBeforeItsChange() {
        WorkRequest trigger = program.add(sketch.managed("T", 1).receives(1, true), Wr.trigger(data.slice(0, 8)));
        program.add(worker, Wr.await(trigger));
        Recycler recycler = program.recycle();
        recycler.lapBeginsHere(worker);
        program.stage(worker);
        WorkRequest change = program.add(worker, change().signalled());
        recycler.updateHere(worker);
        program.add(worker, Wr.await(change));
        program.add(worker, Wr.enable(target, 1));
        program.add(worker, target.signalled());
        program.add(worker, Wr.await(target));
        program.add(worker, Wr.enable(trigger, 1));
        program.add(worker, Wr.enableNextLap(worker));
        program.start(Wr.enableLap(worker));
        program.start(Wr.enable(trigger));
        String message = assertThrows(OrderException.class, program::build).getMessage();
        assertTrue(message.contains("W[16] WAIT is changed (pi[3]) by W[4] READ, but W prefetches, and may do so when"
                + " W[17] SEND_ENABLE"), message);
    }

    @Test
    void anEnableOfTheNextLapIsBeforeItsChangeWhereNothingIsPrefetchedToo() {
        worker.prefetching(false);
        other.prefetching(false);
        WorkRequest change = program.add(worker, change().signalled());
        Recycler recycler = program.recycle();
        program.add(other, target.signalled());
        program.add(worker, Wr.await(change));
        recycler.updateHere(worker);
        program.add(worker, Wr.enable(target));
        program.add(worker, Wr.await(target));
        program.add(worker, Wr.enable(target, 1));
        program.add(worker, Wr.enableNextLap(worker));
        program.start(Wr.enableLap(worker));
        String message = assertThrows(OrderException.class, program::build).getMessage();
        assertTrue(message.contains("R[0] WRITE is changed (raddr) by W[0] READ")
                && message.contains("nothing orders the two within a lap"), message);
    }
}
