package org.jvrpc.offload.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.queue.Field;
import org.jvrpc.offload.wr.OrderException;
import org.jvrpc.offload.wr.OrderRequest;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;

/** What the update of a recycled program is made of; {@link RecyclingTest} runs them. */
final class RecyclerTest {

    private final Sketch sketch = new Sketch();
    private final Place data = Place.of(sketch.memory(256), 0, 256, "data");
    private final ProgramBuilder program = new ProgramBuilder("loop", sketch.memory(4096));

    private Program loop(ChainQueue queue) {
        program.add(queue, Wr.nop().comment("first"));
        Recycler recycler = program.recycle();
        recycler.lapBeginsHere(queue);
        program.stage(queue);
        WorkRequest second = Wr.nop().signalled();
        if (queue.prefetches()) {
            recycler.updateHere(queue); // the WAIT is one for the update then
            program.add(queue, second);
        } else {
            program.add(queue, second);
            recycler.updateHere(queue);
        }
        program.add(queue, Wr.await(second));
        program.add(queue, Wr.enableNextLap(queue));
        program.start(Wr.enableLap(queue));
        return program.build();
    }

    @Test
    void aProgramWhoseRequestsBringTooFewIndicesIsRefused() {
        ChainQueue queue = sketch.managed("W", 4);
        ChainQueue requests = sketch.managed("T", 1).receives(1, true);
        Place next = program.variable("next", 4, 4);
        WorkRequest trigger = program.add(requests, Wr.trigger(next));
        WorkRequest await = program.add(queue, Wr.await(trigger));
        WorkRequest copy = program.add(queue, Wr.write(await.field(Field.PRODUCER_INDEX), next));
        WorkRequest lap = program.add(queue, Wr.enableNextLap(queue));
        WorkRequest again = program.add(queue, Wr.enable(trigger, 1));
        program.recycle().indicesFromRequest(trigger, await, copy, lap);
        program.start(Wr.enableLap(queue));
        program.start(Wr.enable(trigger));
        IllegalStateException e = assertThrows(IllegalStateException.class, program::build);
        assertTrue(e.getMessage().startsWith(again.toString()), e.getMessage());
    }

    /** A queue that waits for requests, whose index is written where it was looked at. */
    private WorkRequest[] requested(ChainQueue queue, ChainQueue requests) {
        Place next = program.variable("next", 4, 4);
        WorkRequest trigger = program.add(requests, Wr.trigger(next));
        WorkRequest await = program.add(queue, Wr.await(trigger));
        WorkRequest copy = program.add(queue, Wr.write(await.field(Field.PRODUCER_INDEX), next));
        WorkRequest lap = program.add(queue, Wr.enableNextLap(queue));
        WorkRequest again = program.add(queue, Wr.enable(trigger, 1)); // last: the next request changes the indices
        program.start(Wr.enableLap(queue));
        program.start(Wr.enable(trigger));
        return new WorkRequest[] {trigger, await, copy, again, lap};
    }

    @Test
    void anIndexThatARequestBringsAfterItIsUsedIsRefused() {
        WorkRequest[] wrs = requested(sketch.managed("W", 4), sketch.managed("T", 1).receives(1, true));
        ChainQueue other = sketch.managed("X", 2);
        WorkRequest early = program.add(other, Wr.enableNextLap(other)); // waits for no request
        program.start(Wr.enableLap(other));
        program.recycle().indicesFromRequest(wrs[0], wrs[1], wrs[2], wrs[3], wrs[4], early);
        OrderException e = assertThrows(OrderException.class, program::build);
        assertTrue(e.getMessage().startsWith(early + " is changed (pi) by " + wrs[0]), e.getMessage());
    }

    @Test
    void anIndexThatARequestBringsALapLateIsRefused() {
        ChainQueue queue = sketch.managed("W", 4);
        ChainQueue requests = sketch.managed("T", 1).receives(1, true);
        Place next = program.variable("next", 4, 4);
        WorkRequest trigger = program.add(requests, Wr.trigger(next));
        WorkRequest takes = program.add(queue, Wr.enable(trigger)); // without which no request comes
        WorkRequest await = program.add(queue, Wr.await(trigger));
        WorkRequest copy = program.add(queue, Wr.write(await.field(Field.PRODUCER_INDEX), next));
        WorkRequest lap = program.add(queue, Wr.enableNextLap(queue));
        program.start(Wr.enableLap(queue));
        program.recycle().indicesFromRequest(trigger, await, copy, takes, lap);
        OrderException e = assertThrows(OrderException.class, program::build);
        assertTrue(e.getMessage().startsWith(takes + " is not behind " + trigger), e.getMessage());
    }

    @Test
    void aProgramWhoseRequestsBringItsIndicesHasNoUpdate() {
        ChainQueue queue = sketch.managed("W", 4);
        WorkRequest[] wrs = requested(queue, sketch.managed("T", 1).receives(1, true));
        Recycler recycler = program.recycle();
        recycler.indicesFromRequest(wrs[0], wrs[1], wrs[2], wrs[3], wrs[4]);
        recycler.updateHere(queue);
        IllegalStateException e = assertThrows(IllegalStateException.class, program::build);
        assertTrue(e.getMessage().contains("update=true cursors=0"), e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyNumberThatALapAdvancesIsHandedOutOnce(boolean prefetches) {
        ChainQueue queue = new Sketch(prefetches).managed("W", 32);
        Program loop = loop(queue);
        for (WorkRequest wr : loop.sends(queue)) {
            if (wr instanceof OrderRequest order) {
                long bytes = loop.modifications().stream().filter(m -> m.target() == order).count();
                assertTrue(order.increment() > 0, order + " " + order.operands());
                assertEquals(order.width(), bytes, "bytes of the index of " + order + " in " + loop);
            }
        }
    }

    @Test
    void theIndicesAreAdvancedWhereALapBegins() {
        ChainQueue queue = new Sketch(true).managed("W", 32);
        List<WorkRequest> wrs = loop(queue).sends(queue);
        assertEquals("first", wrs.get(0).comment());
        assertTrue(wrs.get(1).comment().startsWith("advances "), wrs.get(1).comment());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void aCursorMayHaveOneToFourBytes(int bytes) {
        assertEquals(bytes, program.recycle().cursor(bytes, 0, 1, null, null).length());
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0", "5, 5, 5", "3, 2, 3", "3, 3, 4"})
    void aCursorOfOtherBytesThanItsPlacesIsRefused(int bytes, int next, int current) {
        Recycler recycler = program.recycle();
        String message = assertThrows(IllegalArgumentException.class, () -> recycler.cursor(
                bytes, 0, 1, data.slice(0, next), data.slice(8, current))).getMessage();
        assertTrue(message.startsWith("a cursor has 1 to 4 bytes, as its places: bytes=" + bytes), message);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5})
    void aCursorWithoutPlacesOfOtherThanOneToFourBytesIsRefused(int bytes) {
        Recycler recycler = program.recycle();
        assertThrows(IllegalArgumentException.class, () -> recycler.cursor(bytes, 0, 1, null, null));
    }

    @Test
    void cursorsHaveEightBytesTogether() {
        Recycler recycler = program.recycle();
        recycler.cursor(4, 0, 1, null, null);
        recycler.cursor(3, 0, 1, null, null);
        String message = assertThrows(IllegalArgumentException.class, () -> recycler.cursor(2, 0, 1, null, null))
                .getMessage();
        assertEquals("the cursors of a program have 8 bytes together: bytes=9", message);
        recycler.cursor(1, 0, 1, null, null);
    }

    /** The first has the low bytes of a little-endian word, which lie last in the WQE. */
    @Test
    void theIncrementOfACursorLiesBeforeThatOfTheOneBefore() {
        Recycler recycler = program.recycle();
        String first = recycler.cursor(3, 0, 1, null, null).toString();
        String second = recycler.cursor(2, 0, 1, null, null).toString();
        assertTrue(first.endsWith(".swap[5..7]"), first);
        assertTrue(second.endsWith(".swap[3..4]"), second);
    }

    /** Only the update's own changes of indices are known not to let a WAIT or ENABLE do what it likes. */
    @Test
    void anEnableWhoseIndexIsReadMayAllowEverythingInALoop() {
        ChainQueue worker = sketch.managed("W", 32);
        ChainQueue other = sketch.managed("R", 2);
        WorkRequest target = program.add(other, Wr.write(data.slice(0, 8), data.slice(8, 8)).signalled());
        WorkRequest enable = Wr.enable(target);
        program.add(worker, Wr.read(data.slice(0, 4), enable.field(Field.PRODUCER_INDEX)));
        WorkRequest early = Wr.enableBlocks(other, 0);
        program.add(worker, Wr.read(data.slice(0, 4), early.field(Field.PRODUCER_INDEX)));
        program.add(worker, early);
        WorkRequest change = program.add(
                worker, Wr.read(data.slice(16, 8), target.field(Field.REMOTE_ADDRESS)).signalled());
        program.add(worker, Wr.await(change));
        program.recycle().updateHere(worker);
        program.add(worker, enable);
        program.add(worker, Wr.await(target));
        program.add(worker, Wr.enableNextLap(worker));
        program.start(Wr.enableLap(worker));
        String message = assertThrows(OrderException.class, program::build).getMessage();
        assertTrue(message.contains("R[0] WRITE is changed (raddr)"), message);
    }
}
