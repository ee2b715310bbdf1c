package org.jvrpc.testing.history;

import java.util.Objects;

/**
 * A register that has a number or nothing. Who writes writes no number twice, so that a number says which write is
 * meant: a conditional write may then demand a number where the object under test demands a version.
 */
public final class Register implements Model<Object> {

    /** What it has when it has nothing; also the answer of what found nothing. */
    public static final String ABSENT = "absent";
    /** The answer of what was done. */
    public static final String DONE = "done";
    /** The answer of a condition that did not hold. */
    public static final String REFUSED = "refused";

    /** What may be asked for. */
    public sealed interface Call {

        /** Reads what {@link #toString} wrote. */
        static Call parse(String text) {
            String[] words = text.split(" ");
            return switch (words[0]) {
                case "get" -> new Get();
                case "set" -> new Set(Long.parseLong(words[1]));
                case "add" -> new Add(Long.parseLong(words[1]));
                case "swap" -> new Swap(Long.parseLong(words[1]), Long.parseLong(words[2]));
                case "delete" -> new Delete();
                default -> throw new IllegalArgumentException(text);
            };
        }
    }

    /** Reads. Answer: a number, or ABSENT. */
    public record Get() implements Call {
        @Override
        public String toString() {
            return "get";
        }
    }

    /** Writes in any case. Answer: DONE. */
    public record Set(long value) implements Call {
        @Override
        public String toString() {
            return "set " + value;
        }
    }

    /** Writes where there is nothing. Answer: DONE or REFUSED. */
    public record Add(long value) implements Call {
        @Override
        public String toString() {
            return "add " + value;
        }
    }

    /** Writes where a number is. Answer: DONE, REFUSED where another one is, or ABSENT. */
    public record Swap(long expected, long value) implements Call {
        @Override
        public String toString() {
            return "swap " + expected + " " + value;
        }
    }

    /** Has it have nothing. Answer: DONE or ABSENT. */
    public record Delete() implements Call {
        @Override
        public String toString() {
            return "delete";
        }
    }

    private final Object initial;
    private final boolean forgets;

    private Register(Object initial, boolean forgets) {
        this.initial = initial;
        this.forgets = forgets;
    }

    /** A register that has nothing in the beginning. */
    public static Register empty() {
        return new Register(ABSENT, false);
    }

    /** A register that has a number in the beginning. */
    public static Register of(long value) {
        return new Register(value, false);
    }

    /** A register of a cache: it may lose its number at any time, and does not have it again after that. */
    public static Register forgetful() {
        return new Register(ABSENT, true);
    }

    @Override
    public Object initial() {
        return initial;
    }

    @Override
    public boolean isRead(Object call) {
        return call instanceof Get;
    }

    @Override
    public Object apply(Object state, Operation operation) {
        Object next = exactly(state, operation);
        return next == null && forgets ? exactly(ABSENT, operation) : next;
    }

    private static Object exactly(Object state, Operation operation) {
        Object answer = operation.answer();
        boolean there = !state.equals(ABSENT);
        if (operation.call() instanceof Get) {
            return fits(answer, state) ? state : null;
        } else if (operation.call() instanceof Set set) {
            return fits(answer, DONE) ? set.value() : null;
        } else if (operation.call() instanceof Add add) {
            return fits(answer, there ? REFUSED : DONE) ? there ? state : (Object) add.value() : null;
        } else if (operation.call() instanceof Delete) {
            return fits(answer, there ? DONE : ABSENT) ? ABSENT : null;
        }
        Swap swap = (Swap) operation.call();
        boolean holds = state.equals(swap.expected());
        return fits(answer, holds ? DONE : there ? REFUSED : ABSENT) ? holds ? (Object) swap.value() : state : null;
    }

    private static boolean fits(Object answer, Object expected) {
        return answer == null || Objects.equals(answer, expected);
    }

    /** Reads an answer that was written as text. */
    public static Object answer(String text) {
        return Character.isDigit(text.charAt(0)) || text.startsWith("-") ? (Object) Long.parseLong(text) : text;
    }
}
