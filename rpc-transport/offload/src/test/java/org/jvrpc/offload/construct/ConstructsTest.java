package org.jvrpc.offload.construct;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.offload.ChainRig;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.wr.Counts;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;

/** Each construct on the software RNIC, and its count. */
final class ConstructsTest {

    private final ChainRig rig = new ChainRig();

    @AfterEach
    void close() {
        rig.close();
    }

    private static WorkRequest conditionalWrite(Place to, Place from) {
        return Wr.write(to, from).signalled().dormant();
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0xffffffffffff, 0xffffffffffff", "0x123456789abc, 0x123456789abc", "0, 1",
        "0x010000000000, 0", "0x123456789abc, 0x123456789abd", "0x800000000000, 0x000000800000"})
    void anIfOf48BitsRunsItsActionWhenTheOperandsAreEqual(String x, String y) {
        ChainQueue worker = rig.worker("W", 8);
        ChainQueue answers = rig.worker("R", 1);
        Place result = rig.word("result", 0);
        ProgramBuilder program = new ProgramBuilder("if", rig.memory);
        WorkRequest action = program.add(answers,
                conditionalWrite(result, program.constant("yes", 1)).dormant(Long.decode(x)));
        Construct construct = Conditions.ifEqual(program, worker, null, action, Long.decode(y));
        program.start(Wr.enable(construct.wrs().get(2)));
        Program built = program.build();
        rig.run(built);
        assertEquals(x.equals(y) ? 1 : 0, rig.get(result));
        assertEquals(4 + 1, rig.chains.executed(), "the WRs of the if, and the kick");
    }

    @Test
    void anIfBehindATriggerCountsAsInTable2() {
        ChainQueue worker = rig.worker("W", 8);
        ChainQueue answers = rig.worker("R", 1);
        Place result = rig.word("result", 0);
        ProgramBuilder program = new ProgramBuilder("if", rig.memory);
        WorkRequest action = program.add(answers, conditionalWrite(result, program.constant("yes", 1)));
        WorkRequest trigger = program.add(worker, Wr.trigger(action.operand().toArray(Place[]::new)));
        Construct construct = Conditions.ifEqual(program, worker, trigger, action, 42);
        assertEquals(new Counts(1, 1, 3, 0), construct.counts());
        program.start(Wr.enable(construct.wrs().get(3)));
        program.build();
    }

    @ParameterizedTest
    @CsvSource({"8, -1", "8, 0", "8, 5", "8, 6", "8, 7", "1, -1", "6, -1", "7, 6", "16, -1", "16, 11", "45, -1",
        "45, 44"})
    void wideOperandsAreEqualWhenAllTheirBytesAre(int length, int different) {
        ChainQueue worker = rig.worker("W", 64);
        ChainQueue conditional = rig.worker("R", 16);
        Place value = rig.place("value", length, 8);
        Place result = rig.word("result", 0);
        byte[] expected = new byte[length];
        for (int i = 0; i < length; i++) {
            expected[i] = (byte) (i * 37 + 129);
            rig.bytes.put(rig.at(value) + i, (byte) (expected[i] ^ (i == different ? 0x10 : 0)));
        }
        ProgramBuilder program = new ProgramBuilder("wide", rig.memory);
        WorkRequest action = conditionalWrite(result, program.constant("yes", 1));
        ChainQueue loader = rig.worker("L", 8);
        Construct construct = Conditions.ifEqual(program, worker, conditional, loaded(program, loader),
                action, expected);
        loader(program, loader, value, construct);
        program.start(Wr.enable(construct.wrs().get(construct.wrs().size() - 2)));
        rig.run(program.build());
        assertEquals(different < 0 ? 1 : 0, rig.get(result));
        int parts = (length + 5) / 6;
        assertEquals(new Counts(1, parts, 3 + 2 * (parts - 1), 0), construct.counts());
    }

    private WorkRequest done;

    /** Returns what is signalled once the operands are loaded. */
    private WorkRequest loaded(ProgramBuilder program, ChainQueue loader) {
        done = Wr.nop().signalled();
        return done;
    }

    private void loader(ProgramBuilder program, ChainQueue loader, Place value, Construct construct) {
        Conditions.load(program, loader, value, construct.operands());
        program.add(loader, done);
        program.start(Wr.enable(done));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0, 1", "1, 0", "5, 5", "0xfffffffffffe, 0xfffffffffffd", "0xfffffffffffd, 0xfffffffffffe",
        "0xfffffffffffe, 0xfffffffffffe", "0xffffff, 0x1000000", "0x1000000, 0xffffff"})
    void lessGreaterEqualAndMinAgreeWithJava(String left, String right) {
        long x = Long.decode(left);
        long y = Long.decode(right);
        Place a = rig.word("a", x);
        Place b = rig.word("b", y);
        ChainQueue worker = rig.worker("W", 64);
        ChainQueue conditional = rig.worker("R", 4);
        ProgramBuilder program = new ProgramBuilder("compare", rig.memory);
        Place yes = program.constant("yes", 1);
        List<Place> results = new ArrayList<>();
        List<WorkRequest> actions = new ArrayList<>();
        for (String name : List.of("less", "greater", "equal")) {
            results.add(rig.word(name, 0));
            actions.add(program.add(conditional, conditionalWrite(results.get(results.size() - 1), yes)));
        }
        Place least = rig.word("min", -1);
        Construct less = Conditions.ifLess(program, worker, a, b, actions.get(0));
        Construct greater = Conditions.ifGreater(program, worker, a, b, actions.get(1));
        Construct equal = Conditions.ifEqual(program, worker, a, b, actions.get(2));
        assertEquals(2 + equal.wrs().size(), less.wrs().size());
        assertSame(actions.get(0), less.last());
        assertEquals(List.of(actions.get(1)), greater.operands());
        program.start(Wr.enable(Conditions.min(program, worker, least, a, b).last()));
        rig.run(program.build());
        assertEquals(x < y ? 1 : 0, rig.get(results.get(0)), "less");
        assertEquals(x > y ? 1 : 0, rig.get(results.get(1)), "greater");
        assertEquals(x == y ? 1 : 0, rig.get(results.get(2)), "equal");
        assertEquals(Math.min(x, y), rig.get(least), "min");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 7, 99})
    void anUnrolledWhileFindsWithoutABreakAndRunsAllIterations(int place) {
        unrolled(place, false);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 7, 99})
    void anUnrolledWhileStopsAtItsBreak(int place) {
        unrolled(place, true);
    }

    private void unrolled(int place, boolean breaks) {
        int size = 8;
        ChainQueue worker = rig.worker("W", 64);
        ChainQueue conditional = rig.worker("R", 16);
        Place result = rig.word("result", -1);
        ProgramBuilder program = new ProgramBuilder("while", rig.memory);
        List<Loops.Iteration> iterations = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            WorkRequest answer = Wr.write(result, program.constant("index", i));
            Loops.Iteration iteration = breaks ? Loops.breakable(program, conditional, answer)
                    : Loops.Iteration.of(program.add(conditional, answer.signalled().dormant()));
            iteration.found().dormant(1000 + i); // A[i] = 1000 + i
            iterations.add(iteration);
        }
        List<Construct> constructs = Loops.whileUnrolled(program, worker, null, iterations, 1000 + place);
        for (int i = 1; i < size; i++) {
            assertEquals(new Counts(breaks ? 2 : 1, 1, 3, 0), constructs.get(i).counts());
        }
        assertTrue(constructs.get(0).counts().within(breaks ? 2 : 1, 1, 3));
        program.start(Wr.enableBlocks(worker, 4 * size - 1));
        rig.run(program.build());
        assertEquals(place < size ? place : -1, rig.get(result));
        int perIteration = breaks ? 6 - 1 : 5 - 1; // without the WAIT for the iteration before
        int iterationsRun = breaks ? Math.min(place + 1, size) : size;
        assertEquals(1 + iterationsRun * perIteration + iterationsRun - 1, rig.chains.executed());
    }

    @Test
    void aBreakSaysWhatHoldsItsOperandAndWhatRunsLast() {
        ChainQueue worker = rig.worker("W", 16);
        ProgramBuilder program = new ProgramBuilder("break", rig.memory);
        Loops.Iteration iteration = Loops.breakable(
                program, rig.worker("R", 16), Wr.write(rig.word("to", 0), program.constant("one", 1)));
        Construct found = Loops.breakIfEqual(program, worker, rig.word("a", 1), rig.word("b", 1), iteration);
        assertEquals(List.of(iteration.found()), found.operands());
        assertSame(iteration.last(), found.last());
    }

    @Test
    void movStoresAConstant() {
        Place to = rig.place("to", 5, 1);
        mov(1, (program, queue) ->
                Mov.immediate(program, queue, to, "hello".getBytes(StandardCharsets.US_ASCII)));
        assertEquals('h', rig.bytes.get(rig.at(to)));
        assertEquals('o', rig.bytes.get(rig.at(to) + 4));
    }

    @Test
    void movFollowsPointersAndOffsets() {
        Place source = rig.word("source", 0x1122334455667788L);
        Place other = rig.word("other", 0x99L);
        Place pointer = rig.word("pointer", source.address());
        Place offset = rig.word("offset", 8);
        Place to = rig.word("to", 0);
        mov(2, (program, queue) -> Mov.load(program, queue, to, pointer, rig.data));
        assertEquals(0x1122334455667788L, rig.get(to));
        mov(2, (program, queue) -> Mov.loadIndexed(program, queue, to, pointer, offset, rig.data));
        assertEquals(0x99, rig.get(to));
        rig.put(to, 5);
        mov(2, (program, queue) -> Mov.store(program, queue, pointer, rig.data, to));
        assertEquals(5, rig.get(source));
        mov(2, (program, queue) -> Mov.storeIndexed(program, queue, pointer, offset, rig.data, to));
        assertEquals(5, rig.get(other));
        mov(1, (program, queue) -> Mov.copy(program, queue, to, offset));
        assertEquals(8, rig.get(to));
    }

    private interface Addition {
        Construct add(ProgramBuilder program, ChainQueue queue);
    }

    private void mov(int copies, Addition addition) {
        ChainQueue queue = rig.worker("M", 8);
        ProgramBuilder program = new ProgramBuilder("mov", rig.memory);
        Construct construct = addition.add(program, queue);
        assertEquals(new Counts(copies, 0, 0, 0), construct.counts());
        program.start(Wr.enable(construct.last()));
        rig.run(program.build());
    }
}
