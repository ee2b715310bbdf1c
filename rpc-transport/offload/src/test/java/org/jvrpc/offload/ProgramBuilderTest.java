package org.jvrpc.offload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.offload.build.Recycler;
import org.jvrpc.offload.build.Sketch;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.wr.Calculation;
import org.jvrpc.offload.wr.Counts;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;

/** How programs are put together, and what their WRs say of themselves. */
final class ProgramBuilderTest {

    private final Sketch sketch = new Sketch();
    private final ChainQueue worker = sketch.managed("W", 16);
    private final ChainQueue client = sketch.managed("T", 1).receives(4, false);
    private final Place data = Place.of(sketch.memory(256), 0, 256, "data");
    private final ProgramBuilder builder = new ProgramBuilder("P", sketch.memory(4096));

    private static void refused(Class<? extends Exception> type, String message, Executable executable) {
        assertEquals(message, assertThrows(type, executable).getMessage());
    }

    /** Builds a program of one WR. */
    private void build(WorkRequest wr) {
        ProgramBuilder one = new ProgramBuilder("one", sketch.memory(4096));
        ChainQueue queue = sketch.managed("Q", 16);
        one.add(queue, wr);
        one.startAll(queue);
        one.build();
    }

    private void refused(String problem, WorkRequest wr) {
        String message = assertThrows(IllegalArgumentException.class, () -> build(wr)).getMessage();
        assertTrue(message.endsWith(problem), message);
    }

    @Test
    void aBuiltProgramTakesNothingMore() {
        WorkRequest nop = builder.add(worker, Wr.nop());
        builder.startAll(worker);
        builder.build();
        for (Executable late : List.<Executable>of(() -> builder.add(worker, Wr.nop()),
                () -> builder.start(Wr.enable(nop)), builder::recycle, builder::build)) {
            refused(IllegalStateException.class, "program P is built", late);
        }
    }

    @Test
    void theQueuesOfTriggersComeLastAndReceivesAreCountedOn() {
        builder.add(client, Wr.trigger(data.slice(0, 8)));
        WorkRequest trigger = builder.add(client, Wr.trigger(data.slice(0, 8), data.slice(16, 8)));
        builder.add(worker, Wr.await(trigger));
        builder.startAll(worker);
        assertEquals(List.of(worker, client), builder.build().queues());
        assertEquals(2, client.receiveHead());
        ProgramBuilder next = new ProgramBuilder("next", sketch.memory(64));
        WorkRequest third = next.add(client, Wr.trigger(data.slice(0, 8)));
        next.build();
        assertEquals("T.RQ[2]", third.where());
        assertEquals(3, client.receiveHead());
        assertEquals(2, trigger.segments());
    }

    @Test
    void aNamedPlaceIsGivenBack() {
        Place place = data.named("other");
        assertSame(place, builder.name(place));
        WorkRequest read = Wr.read(data.slice(0, 8));
        assertSame(read, read.more(data.slice(8, 8)));
    }

    @Test
    void whatAnAtomicFoundGoesToItsResultAndNowhereWithoutOne() {
        Place target = data.slice(0, 8);
        Place result = data.slice(8, 8);
        assertEquals(List.of(target), Wr.fetchAndAdd(target, 1, null).changes());
        assertEquals(List.of(target, result), Wr.fetchAndAdd(target, 1, result).changes());
        refused("an atomic has 8 bytes: target=8 result=4", Wr.fetchAndAdd(target, 1, data.slice(8, 4)));
        refused("an atomic has 8 bytes: target=4 result=8", Wr.fetchAndAdd(data.slice(0, 4), 1, null));
        refused("an atomic has 8 bytes: target=4 result=12", Wr.fetchAndAdd(data.slice(0, 4), 1, data.slice(8, 12)));
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 16, 128})
    void aCalculationOfOneTo16WordsIsBuilt(int bytes) {
        build(Wr.calculate(Calculation.ADD, data.slice(0, 8), data.slice(8, bytes)));
    }

    @ParameterizedTest
    @CsvSource({"0, 8", "12, 8", "136, 8", "8, 4", "8, 16"})
    void anyOtherCalculationIsRefused(int bytes, int result) {
        refused("a calculation takes 1 to 16 words of 8 bytes and gives 8: bytes=" + bytes + " result=" + result,
                Wr.calculate(Calculation.ADD, data.slice(0, result), data.slice(16, bytes)));
    }

    @Test
    void aMessageMayHave16PiecesOfSomeBytes() {
        Place[] pieces = new Place[16];
        for (int i = 0; i < pieces.length; i++) {
            pieces[i] = data.slice(i, 1);
        }
        build(Wr.send(pieces));
        builder.add(client, Wr.trigger(pieces));
        builder.build();
        refused("an SGE of no bytes, which a device takes for 2 GiB: data+4:0",
                Wr.write(data.slice(0, 8), data.slice(8, 8), data.slice(4, 0)));
    }

    @Test
    void listingsSayWhatIsSentAndWhatIsWaitedFor() {
        assertEquals("data:4, data+8:1", Wr.send(data.slice(0, 4), data.slice(8, 1)).operands());
        assertEquals("for T.rcq, pi=0", Wr.await(client.receiveCq(), 3).operands());
        WorkRequest nop = Wr.nop();
        assertEquals("for (in no queue), pi=0", Wr.await(nop).operands());
        assertEquals("for (in no queue) of lap -1, pi=0", Wr.await(nop, -1).operands());
        assertEquals("to (in no queue) of lap +2, pi=0", Wr.enable(nop, 2).operands());
        assertEquals("to W lap +1, pi=0", Wr.enableNextLap(worker).operands());
    }

    @Test
    void countsAreWithinOthersWhenNoneIsHigher() {
        Counts counts = new Counts(1, 2, 3, 99);
        assertTrue(counts.within(1, 2, 3));
        assertFalse(counts.within(0, 2, 3));
        assertFalse(counts.within(1, 1, 3));
        assertFalse(counts.within(1, 2, 2));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLiveControlIsTheWrTurnedOnWithItsCompletionOrWithout(boolean signalled) {
        try (ChainRig rig = new ChainRig()) {
            ChainQueue queue = rig.worker("W", 8);
            ProgramBuilder program = new ProgramBuilder("live", rig.memory);
            Place word = rig.word("word", 1);
            WorkRequest write = program.add(queue, Wr.write(word, word).fenced().signalled().dormant());
            Place live = program.liveControl(write, signalled);
            program.startAll(queue);
            program.build().load();
            ByteBuffer memory = rig.memory.buffer(live.address() - rig.memory.address(), 12)
                    .order(ByteOrder.BIG_ENDIAN);
            assertEquals((long) Wqe.RDMA_WRITE << 32 | (long) queue.number() << 8 | write.segments(),
                    memory.getLong(0));
            assertEquals(Wqe.FENCE | (signalled ? Wqe.CE_ALWAYS : 0), memory.getInt(8));
        }
    }

    @Test
    void aRecycledProgramPostsAsManyLapsOfItsTriggersAsTheReceiveQueueHolds() {
        try (ChainRig rig = new ChainRig()) {
            ChainQueue queue = rig.worker("W", 16);
            ChainRig.Trigger sender = rig.trigger("T", true, 4);
            ProgramBuilder program = new ProgramBuilder("two messages a lap", rig.memory);
            Recycler recycler = program.recycle();
            Place count = rig.word("count", 0);
            WorkRequest first = program.add(sender.queue(), Wr.trigger(program.scratch().slice(0, 8)));
            WorkRequest second = program.add(sender.queue(), Wr.trigger(program.scratch().slice(0, 8)));
            program.add(queue, Wr.await(second));
            WorkRequest add = program.add(queue, Wr.fetchAndAdd(count, 1, null).signalled());
            program.add(queue, Wr.await(add));
            recycler.updateHere(queue);
            program.add(queue, Wr.enable(second, 1));
            program.add(queue, Wr.enableNextLap(queue));
            program.start(Wr.enableLap(queue));
            program.start(Wr.enable(second));
            rig.run(program.build());
            assertEquals(0, first.block());
            for (int message = 1; message <= 40; message++) {
                sender.send(message);
                rig.settle();
                assertEquals(message / 2, Long.reverseBytes(rig.get(count)), "message " + message);
            }
        }
    }
}
