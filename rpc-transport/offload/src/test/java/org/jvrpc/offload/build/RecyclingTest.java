package org.jvrpc.offload.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.offload.ChainRig;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.construct.Construct;
import org.jvrpc.offload.construct.Loops;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.queue.Field;
import org.jvrpc.offload.queue.Image;
import org.jvrpc.offload.wr.Counts;
import org.jvrpc.offload.wr.OrderException;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;

/** Rings that run again and again. */
final class RecyclingTest {

    private static final int NODE = 32;

    private ChainRig rig = new ChainRig();

    @AfterEach
    void close() {
        rig.close();
    }

    /** Writes an element: the image of its key, its value, the address of the next. */
    private void element(Place place, long key, long value, long next) {
        rig.bytes.putLong(rig.at(place), Image.of(key, 3));
        rig.bytes.putLong(rig.at(place) + 8, value);
        rig.bytes.putLong(rig.at(place) + 16, next);
    }

    private record Search(Program program, Construct loop) {
    }

    /** Looks for a key from the first node on, with a break. */
    private Search walk(Place nodes, long key, Place result, int blocks, int conditionalBlocks) {
        ChainQueue worker = rig.worker("W", blocks);
        ChainQueue conditional = rig.worker("R", conditionalBlocks);
        ProgramBuilder builder = new ProgramBuilder("walk", rig.memory);
        Recycler recycler = builder.recycle();
        Place value = builder.variable("value", 8, 8);
        Loops.Iteration iteration = Loops.breakable(builder, conditional, Wr.write(result, value));
        WorkRequest fetch = Wr.read(nodes.slice(0, 24));
        fetch.more(iteration.found().field(Field.IMAGE), value, fetch.field(Field.REMOTE_ADDRESS));
        Construct loop = Loops.whileRecycled(builder, recycler, worker, List.of(fetch), iteration, key);
        builder.start(Wr.enableLap(worker));
        return new Search(builder.build(), loop);
    }

    private Place ring(int count, long firstKey) {
        Place nodes = rig.place("nodes", count * NODE, 64);
        for (int i = 0; i < count; i++) {
            long next = nodes.slice((i + 1) % count * NODE, 8).address();
            element(nodes.slice(i * NODE, NODE), firstKey + i, 1000 + i, next);
        }
        return nodes;
    }

    @ParameterizedTest
    @CsvSource({"0, 16, 2", "1, 16, 2", "5, 16, 2", "99, 16, 2", "0, 16, 16", "99, 16, 16", "7, 32, 4"})
    void aRecycledLoopFindsWhatItLooksForAndStops(int place, int blocks, int conditionalBlocks) {
        Place nodes = ring(100, 0xabcdef000000L);
        Place result = rig.word("result", -1);
        Search search = walk(nodes, 0xabcdef000000L + place, result, blocks, conditionalBlocks);
        rig.run(search.program());
        assertEquals(1000 + place, rig.get(result));
        Counts lap = search.program().counts();
        int wrs = lap.copies() + lap.atomics() + lap.orders() + lap.others();
        assertTrue(rig.chains.executed() <= 1 + (place + 1L) * wrs, "executed=" + rig.chains.executed());
        assertTrue(rig.chains.executed() > 1 + (place + 1L) * wrs - 6, "executed=" + rig.chains.executed());
    }

    @ParameterizedTest
    @CsvSource({"0, 2", "1, 2", "99, 2", "99, 32"})
    void aRecycledLoopIsRightOnADeviceThatPrefetches(int place, int conditionalBlocks) {
        rig.close();
        rig = new ChainRig(true);
        Place nodes = ring(100, 0xabcdef000000L);
        Place result = rig.word("result", -1);
        rig.run(walk(nodes, 0xabcdef000000L + place, result, 32, conditionalBlocks).program());
        assertEquals(1000 + place, rig.get(result));
    }

    @Test
    void aRecycledLapCountsAsInTable2() {
        ChainQueue worker = rig.worker("W", 16);
        ChainQueue conditional = rig.worker("R", 1);
        Place result = rig.word("result", 0);
        Place image = rig.word("image", Image.of(1, 3));
        ProgramBuilder builder = new ProgramBuilder("for ever", rig.memory);
        WorkRequest action = builder.add(
                conditional, Wr.write(result, builder.constant("one", 1)).signalled().dormant());
        WorkRequest fetch = Wr.read(image, action.field(Field.IMAGE));
        Loops.whileRecycled(
                builder, builder.recycle(), worker, List.of(fetch), Loops.Iteration.of(action), 2);
        builder.start(Wr.enableLap(worker));
        Counts counts = builder.build().counts();
        assertEquals(new Counts(3, 2, 4, counts.others()), counts, "all WRs of both rings");
        assertTrue(counts.others() <= 1, counts.toString());
    }

    @Test
    void aLoopRunsFarPast65536BlocksAndStopsWhenMemoryChanges() {
        Place nodes = ring(7, 5);
        Place result = rig.word("result", -1);
        Search search = walk(nodes, 77, result, 16, 2);
        search.program().load();
        search.program().kick(rig.master);
        while (rig.chains.executed() < 2_000_000) {
            rig.settleOnce();
        }
        assertEquals(-1, rig.get(result));
        rig.bytes.putLong(rig.at(nodes) + 3 * NODE, Image.of(77, 3));
        rig.settle();
        assertEquals(1003, rig.get(result));
    }

    /** Laps past 2^24 take some seconds: by default, only 16-bit numbers come round. */
    @Test
    void theNumbersOfWaitsAndEnablesComeRound() {
        int laps = Integer.getInteger("jvrpc.offload.laps", 200_000);
        ChainQueue worker = rig.worker("W", 8);
        ProgramBuilder builder = new ProgramBuilder("round", rig.memory);
        Recycler recycler = builder.recycle();
        Place count = rig.word("count", 0);
        WorkRequest add = builder.add(worker, Wr.fetchAndAdd(count, 1, null).signalled());
        builder.add(worker, Wr.await(add));
        recycler.updateHere(worker);
        builder.add(worker, Wr.enableNextLap(worker));
        builder.start(Wr.enableLap(worker));
        Program program = builder.build();
        program.load();
        program.kick(rig.master);
        Counts lap = program.counts();
        int wrs = lap.copies() + lap.atomics() + lap.orders() + lap.others();
        while (rig.chains.executed() < (long) laps * wrs) {
            rig.settleOnce();
        }
        long counted = Long.reverseBytes(rig.get(count));
        assertEquals(rig.chains.executed() / wrs, counted, 1, "laps are whole");
        assertTrue(counted >= laps - 1, "counted=" + counted);
    }

    @Test
    void aCursorWalksAnArray() {
        Place array = rig.place("array", 200 * 16, 64);
        for (int i = 0; i < 200; i++) {
            rig.bytes.putLong(rig.at(array) + i * 16, Image.of(i * 3L, 3));
            rig.bytes.putLong(rig.at(array) + i * 16 + 8, i);
        }
        Place result = rig.word("result", -1);
        ChainQueue worker = rig.worker("W", 16);
        ChainQueue conditional = rig.worker("R", 16);
        ProgramBuilder builder = new ProgramBuilder("array", rig.memory);
        Recycler recycler = builder.recycle();
        Place index = builder.variable("index", 8, 8);
        Loops.Iteration iteration = Loops.breakable(builder, conditional, Wr.write(result, index));
        WorkRequest fetch = Wr.read(array.slice(0, 16), iteration.found().field(Field.IMAGE), index);
        Place cursor = fetch.field(Field.REMOTE_ADDRESS).slice(5, 3);
        recycler.cursor(3, array.address(), 16, cursor, null);
        Construct loop = Loops.whileRecycled(builder, recycler, worker, List.of(fetch), iteration, 3 * 123);
        builder.start(Wr.enableLap(worker));
        Program program = builder.build();
        rig.run(program);
        assertEquals(123, rig.get(result));
        Counts counts = program.counts();
        assertEquals(new Counts(4, 2, 4, counts.others()), counts, "with the break");
        assertEquals(9, loop.counts().copies() + loop.counts().atomics() + loop.counts().orders() + 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void aTriggeredProgramAnswersMessageAfterMessageWithoutACpu(int receives) {
        ChainQueue worker = rig.worker("W", 16);
        ChainQueue conditional = rig.worker("R", 1);
        ChainRig.Trigger client = rig.trigger("T", true, receives);
        Place result = rig.word("result", 0);
        ProgramBuilder builder = new ProgramBuilder("answers 7", rig.memory);
        Recycler recycler = builder.recycle();
        WorkRequest action = builder.add(
                conditional, Wr.write(result, builder.constant("one", 1)).signalled().dormant());
        List<Place> operand = action.operand();
        WorkRequest trigger = builder.add(
                client.queue(), Wr.trigger(builder.scratch().slice(0, 2), operand.get(0), operand.get(1)));
        builder.add(worker, Wr.await(trigger));
        WorkRequest compare = builder.add(worker, Wr.turnOn(action, 7).fenced().signalled());
        builder.add(worker, Wr.await(compare));
        recycler.updateHere(worker);
        builder.add(worker, Wr.enable(action));
        builder.add(worker, Wr.await(action));
        builder.add(worker, Loops.restore(builder, action));
        builder.add(worker, Wr.enable(trigger, 1));
        builder.add(worker, Wr.enableNextLap(worker));
        builder.start(Wr.enableLap(worker));
        builder.start(Wr.enable(trigger));
        Program program = builder.build();
        rig.run(program);
        long waiting = rig.chains.executed();
        rig.settle();
        assertEquals(waiting, rig.chains.executed(), "it waits for a message");
        for (int i = 1; i < 300; i++) {
            long value = i % 3 == 0 ? 7 : 1000 + i;
            rig.put(result, 0);
            client.send(value);
            rig.settle();
            assertEquals(value == 7 ? 1 : 0, rig.get(result), "message " + i);
        }
    }

    @Test
    void anUpdateInOneIsRefusedOnADeviceThatPrefetches() {
        ChainQueue queue = rig.worker("W", 16).prefetching(true);
        ProgramBuilder builder = new ProgramBuilder("late", rig.memory);
        WorkRequest nop = builder.add(queue, Wr.nop().signalled());
        Recycler recycler = builder.recycle();
        builder.add(queue, Wr.await(nop));
        recycler.updateHere(queue);
        builder.add(queue, Wr.enableNextLap(queue));
        builder.start(Wr.enableLap(queue));
        OrderException refusal = assertThrows(OrderException.class, builder::build);
        assertTrue(refusal.getMessage().contains("W prefetches, and may do so when"), refusal.getMessage());
    }

    @Test
    void aRingThatIsNotManagedIsNotRecycled() {
        ChainQueue queue = rig.queue("U", 16, false);
        ProgramBuilder builder = new ProgramBuilder("bad", rig.memory);
        WorkRequest nop = builder.add(queue, Wr.nop().signalled());
        Recycler recycler = builder.recycle();
        recycler.updateHere(queue);
        builder.add(queue, Wr.await(nop));
        OrderException refusal = assertThrows(OrderException.class, builder::build);
        assertTrue(refusal.getMessage().contains("U is not managed"), refusal.getMessage());
    }

    /** A WAIT of another queue, which gets another index in each lap; it runs, and is waited for, on one side. */
    private ProgramBuilder waitingElsewhere(boolean saidToBeAhead, boolean enabledBehind) {
        ChainQueue worker = rig.worker("W", 16);
        ChainQueue other = rig.worker("R", 2);
        ProgramBuilder builder = new ProgramBuilder("elsewhere", rig.memory);
        Recycler recycler = builder.recycle();
        WorkRequest first = builder.add(worker, Wr.nop().signalled());
        WorkRequest elsewhere = builder.add(other, Wr.await(first));
        WorkRequest done = builder.add(other, Wr.nop().signalled());
        if (!enabledBehind) {
            builder.add(worker, Wr.enable(done));
        }
        if (saidToBeAhead) {
            recycler.ahead(elsewhere);
        }
        if (!enabledBehind) {
            builder.add(worker, Wr.await(done));
        }
        recycler.updateHere(worker);
        if (enabledBehind) {
            builder.add(worker, Wr.enable(done));
            builder.add(worker, Wr.await(done));
        }
        builder.add(worker, Wr.enableLap(worker));
        builder.start(Wr.enableLap(worker));
        return builder;
    }

    @ParameterizedTest
    @CsvSource({"false, true", "true, false"})
    void aWaitElsewhereThatRunsWhereItIsSaidToIsBuilt(boolean saidToBeAhead, boolean enabledBehind) {
        assertEquals(1, waitingElsewhere(saidToBeAhead, enabledBehind).build().counts().copies());
    }

    @ParameterizedTest
    @CsvSource({"false, false, is not behind the update", "true, true, is not ahead of the update"})
    void aWaitElsewhereWhoseIndexWouldBeALapWrongIsRefused(
            boolean saidToBeAhead, boolean enabledBehind, String why) {
        ProgramBuilder builder = waitingElsewhere(saidToBeAhead, enabledBehind);
        OrderException refusal = assertThrows(OrderException.class, builder::build);
        assertTrue(refusal.getMessage().contains(why), refusal.getMessage());
    }
}
