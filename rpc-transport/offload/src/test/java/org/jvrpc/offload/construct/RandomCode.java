package org.jvrpc.offload.construct;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jvrpc.offload.wr.Calculation;

/**
 * Statements over some variables and an array, all of them numbers of 47 bits, with an interpreter: what programs of
 * WRs are checked against.
 */
final class RandomCode {

    static final int VARIABLES = 6;
    /** Counts the laps of loops; not assigned by statements. */
    static final int COUNTER = VARIABLES;
    /** What the counter is compared with. */
    static final int LIMIT = VARIABLES + 1;
    static final int ARRAY = 8;
    static final long MASK = (1L << 47) - 1;

    /** How two variables compare. */
    enum Comparison {
        EQUAL, LESS, GREATER
    }

    /** One statement. */
    interface Statement {
        void run(long[] variables, long[] array);
    }

    /** {@code to = value}. */
    record Immediate(int to, long value) implements Statement {
        @Override
        public void run(long[] variables, long[] array) {
            variables[to] = value;
        }
    }

    /** {@code to = from}. */
    record Copy(int to, int from) implements Statement {
        @Override
        public void run(long[] variables, long[] array) {
            variables[to] = variables[from];
        }
    }

    /** {@code to = left … right}, within 47 bits. */
    record Calculate(Calculation calculation, int to, int left, int right) implements Statement {
        @Override
        public void run(long[] variables, long[] array) {
            long a = variables[left];
            long b = variables[right];
            variables[to] = MASK & switch (calculation) {
                case ADD -> a + b;
                case MAX -> Math.max(a, b);
                case AND -> a & b;
                case OR -> a | b;
                case XOR -> a ^ b;
            };
        }
    }

    /** {@code to = array[index % 8]}. */
    record Load(int to, int index) implements Statement {
        @Override
        public void run(long[] variables, long[] array) {
            variables[to] = array[element(variables[index])];
        }
    }

    /** {@code array[index % 8] = from}. */
    record Store(int index, int from) implements Statement {
        @Override
        public void run(long[] variables, long[] array) {
            array[element(variables[index])] = variables[from];
        }
    }

    /** {@code if (left … right) to = from}. */
    record If(Comparison comparison, int left, int right, int to, int from) implements Statement {
        @Override
        public void run(long[] variables, long[] array) {
            long a = variables[left];
            long b = variables[right];
            boolean holds = switch (comparison) {
                case EQUAL -> a == b;
                case LESS -> a < b;
                case GREATER -> a > b;
            };
            if (holds) {
                variables[to] = variables[from];
            }
        }
    }

    /** {@code for so many times: statements; if (left == right) break}. */
    record Loop(int times, List<Statement> body, int left, int right) implements Statement {
        @Override
        public void run(long[] variables, long[] array) {
            for (int i = 0; i < times; i++) {
                body.forEach(statement -> statement.run(variables, array));
                if (variables[left] == variables[right]) {
                    return;
                }
            }
        }
    }

    private final SplittableRandom random;

    RandomCode(SplittableRandom random) {
        this.random = random;
    }

    /** An index is in bytes, as memory is addressed. */
    private static int element(long index) {
        return (int) (index >> 3) & ARRAY - 1;
    }

    long value() {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextLong() & MASK;
            case 1 -> MASK - random.nextInt(3);
            default -> random.nextInt(4) * 8L;
        };
    }

    private int variable() {
        return random.nextInt(VARIABLES);
    }

    Statement statement() {
        switch (random.nextInt(8)) {
            case 0:
                return new Immediate(variable(), value());
            case 1:
                return new Copy(variable(), variable());
            case 2:
                return new Load(variable(), variable());
            case 3:
                return new Store(variable(), variable());
            case 4:
            case 5:
                Calculation[] calculations = Calculation.values();
                return new Calculate(calculations[random.nextInt(calculations.length)],
                        variable(), variable(), variable());
            default:
                Comparison[] comparisons = Comparison.values();
                return new If(comparisons[random.nextInt(comparisons.length)],
                        variable(), variable(), variable(), variable());
        }
    }

    List<Statement> statements(int count) {
        List<Statement> statements = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            statements.add(statement());
        }
        return statements;
    }

    Loop loop() {
        return new Loop(1 + random.nextInt(4), statements(1 + random.nextInt(3)), variable(), variable());
    }
}
