package org.jvrpc.offload.construct;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.offload.ChainRig;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.construct.TuringMachine.Rule;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.queue.Field;
import org.jvrpc.offload.wr.OrderException;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.verbs.ChainTracer;
import org.jvrpc.verbs.WcStatus;

/** Chains of verbs compute: Turing machines, step by step against an interpreter of a few lines. */
final class TuringMachineTest {

    /** States: 0 goes right to the end of the number, 1 carries. Symbols: 0 blank, 1 zero, 2 one. */
    private static final Rule[][] INCREMENT = {
        {new Rule(0, -1, 1), new Rule(1, 1, 0), new Rule(2, 1, 0)},
        {new Rule(2, 0, TuringMachine.HALT), new Rule(2, 0, TuringMachine.HALT), new Rule(1, -1, 1)}};
    /** The busiest of the machines with 4 states and 2 symbols: 107 steps, 13 ones. Source: A. H. Brady, 1983. */
    private static final Rule[][] BUSY_BEAVER = {
        {new Rule(1, 1, 1), new Rule(1, -1, 1)},
        {new Rule(1, -1, 0), new Rule(0, -1, 2)},
        {new Rule(1, 1, TuringMachine.HALT), new Rule(1, -1, 3)},
        {new Rule(1, 1, 3), new Rule(0, 1, 0)}};

    private final ChainRig rig = new ChainRig();

    @AfterEach
    void close() {
        rig.close();
    }

    /** The interpreter. */
    private static final class Interpreter {
        final Rule[][] rules;
        final int[] tape;
        int head;
        int state;
        int steps;

        Interpreter(Rule[][] rules, int[] tape, int head) {
            this.rules = rules;
            this.tape = tape;
            this.head = head;
        }

        void step() {
            Rule rule = rules[state][tape[head]];
            tape[head] = rule.write();
            head += rule.move();
            state = rule.next();
            steps++;
        }
    }

    private int[] read(Place tape) {
        int[] symbols = new int[tape.length()];
        for (int i = 0; i < symbols.length; i++) {
            symbols[i] = (rig.bytes.get(rig.at(tape) + i) & 0xff) / 16;
        }
        return symbols;
    }

    private static Place page(Program program, int state) {
        return program.names().stream().filter(place -> place.name().equals("state " + state)).findAny().orElseThrow();
    }

    private static long nextPage(ChainQueue worker, TuringMachine machine) {
        Place page = machine.entry().field(Field.REMOTE_ADDRESS);
        long at = page.address() - worker.code().address();
        return BigEndian.getLong(worker.code().buffer(at, 8), 0) >>> 8;
    }

    /** Runs a machine to its end, and returns the interpreter that went with it. */
    private Interpreter run(Rule[][] rules, int[] symbols, int head) {
        Place tape = rig.place("tape", symbols.length, 64);
        for (int i = 0; i < symbols.length; i++) {
            rig.bytes.put(rig.at(tape) + i, TuringMachine.cell(symbols[i]));
        }
        ChainQueue worker = rig.worker("W", 16);
        ProgramBuilder builder = new ProgramBuilder("machine", rig.memory);
        TuringMachine machine = TuringMachine.add(builder, worker, rig.worker("R", 1), rules, 0, tape, head);
        Program program = builder.build();
        Interpreter interpreter = new Interpreter(rules, symbols.clone(), head);
        List<String> differences = new ArrayList<>();
        int last = machine.lastOfStep().block();
        rig.chains.trace(new ChainTracer() {
            @Override
            public void before(int qpn, int index) {
                // what follows it is looked at
            }

            @Override
            public void after(int qpn, int index, WcStatus status) {
                if (qpn == worker.number() && index % worker.blocks() == last) {
                    if (interpreter.state == TuringMachine.HALT) {
                        differences.add("a step after the machine halted");
                        return;
                    }
                    interpreter.step();
                    if (!Arrays.equals(interpreter.tape, read(tape))) {
                        differences.add("tape after step " + interpreter.steps);
                    }
                    int state = interpreter.state == TuringMachine.HALT ? 0 : interpreter.state;
                    if (page(program, state).address() >>> 8 != nextPage(worker, machine)) {
                        differences.add("state after step " + interpreter.steps);
                    }
                }
            }
        });
        rig.run(program);
        assertEquals(List.of(), differences);
        assertEquals(TuringMachine.HALT, interpreter.state, "after steps=" + interpreter.steps);
        assertArrayEquals(interpreter.tape, read(tape));
        return interpreter;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 7, 10, 255, 256, 0x7fff, 0xfffe, 0xffff})
    void aMachineIncrementsABinaryNumber(int number) {
        String digits = Integer.toBinaryString(number);
        int[] tape = new int[24];
        for (int i = 0; i < digits.length(); i++) {
            tape[4 + i] = digits.charAt(i) - '0' + 1;
        }
        Interpreter after = run(INCREMENT, tape, 4);
        StringBuilder text = new StringBuilder();
        for (int symbol : after.tape) {
            text.append(symbol == 0 ? "" : symbol - 1);
        }
        assertEquals(number + 1, Integer.parseInt(text.toString(), 2));
    }

    @Test
    void theBusyBeaverOfFourStatesWrites13OnesIn107StepsWithoutACpu() {
        Interpreter after = run(BUSY_BEAVER, new int[64], 32);
        assertEquals(107, after.steps);
        int ones = 0;
        for (int symbol : after.tape) {
            ones += symbol;
        }
        assertEquals(13, ones);
    }

    @Test
    void theStepsOfAMachineTakeNoCallButTheKick() {
        Place tape = rig.place("tape", 64, 64);
        ProgramBuilder builder = new ProgramBuilder("beaver", rig.memory);
        TuringMachine.add(builder, rig.worker("W", 16), rig.worker("R", 1), BUSY_BEAVER, 0, tape, 32);
        Program program = builder.build();
        program.load();
        assertEquals(0, rig.chains.executed());
        program.kick(rig.master);
        assertEquals(1 + 107 * (program.counts().copies() + program.counts().atomics() + program.counts().orders()
                + program.counts().others()), rig.chains.executed());
    }

    @Test
    void aMachineThatCannotBeIsRefused() {
        Place tape = rig.place("tape", 8, 64);
        ProgramBuilder builder = new ProgramBuilder("bad", rig.memory);
        Rule[][] rules = {{new Rule(0, 2, 0)}};
        IllegalArgumentException refusal = assertThrows(
                IllegalArgumentException.class,
                () -> TuringMachine.add(builder, rig.worker("W", 16), rig.worker("R", 1), rules, 0, tape, 0));
        assertTrue(refusal.getMessage().contains("move=2"), refusal.getMessage());
        assertFalse(refusal instanceof OrderException);
    }

    private void add(Rule[][] rules, Place tape, int head) {
        TuringMachine.add(new ProgramBuilder("machine", rig.memory), rig.worker("W", 16), rig.worker("R", 1), rules, 0,
                tape, head);
    }

    private void refused(String why, Rule[][] rules, Place tape, int head) {
        String said = assertThrows(RuntimeException.class, () -> add(rules, tape, head)).getMessage();
        assertTrue(said.contains(why), said);
    }

    /** A state with so many symbols, for the last of which there is a rule. */
    private static Rule[] row(int symbols, Rule last) {
        Rule[] row = new Rule[symbols];
        Arrays.fill(row, new Rule(0, 0, TuringMachine.HALT));
        row[symbols - 1] = last;
        return row;
    }

    @Test
    void aMachineMayUseAllItsSymbolsStatesAndCells() {
        Place tape = rig.place("tape", 8, 64);
        Rule[][] rules = {row(2, new Rule(1, 1, 1)), row(TuringMachine.MAX_SYMBOLS, new Rule(15, -1, 0))};
        assertDoesNotThrow(() -> add(rules, tape, 0));
        assertDoesNotThrow(() -> add(rules, tape, 7));
        refused("head=-1 cells=8", rules, tape, -1);
        refused("head=8 cells=8", rules, tape, 8);
        refused("symbols=17 most=16", new Rule[][] {row(17, new Rule(0, 0, 0))}, tape, 0);
    }

    @ParameterizedTest
    @CsvSource({"-1, 0, 0", "2, 0, 0", "0, -2, 0", "0, 2, 0", "0, 0, -2", "0, 0, 1"})
    void aRuleThatLeadsOutOfTheMachineIsRefused(int write, int move, int next) {
        Rule rule = new Rule(write, move, next);
        refused("state=0 " + rule, new Rule[][] {row(2, rule)}, rig.place("tape", 8, 64), 0);
    }

    @Test
    void aTapeLiesWithin16MiB() {
        Rule[][] rules = {row(2, new Rule(1, 1, 0))};
        long end = 5L << 24;
        assertDoesNotThrow(() -> add(rules, Place.remote(end - 8, 1, 8, "tape"), 0));
        assertDoesNotThrow(() -> add(rules, Place.remote(end, 1, 1 << 24, "tape"), 0));
        refused("the tape crosses a multiple of 16 MiB", rules, Place.remote(end - 7, 1, 8, "tape"), 0);
    }
}
