package org.jvrpc.offload.construct;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.queue.Image;
import org.jvrpc.offload.wr.Calculation;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;

/**
 * Conditional WRs. What depends on a condition is a dormant WR in a managed queue of its own; a compare-and-swap in the
 * queue of the program turns it on, and the ENABLE behind that lets its queue run it, as what it is or as a NOP.
 *
 * <p>An {@code if} has 1 copy verb (the conditional one), 1 atomic and 3 ordering verbs, as the paper's Table 2 says.
 * Loading operands that are not in place is {@link #load}: one READ more. Loading what is expected, too, is another,
 * and 2 ordering verbs in a queue that prefetches, since the compare-and-swap is changed.
 */
public final class Conditions {

    /** Bytes of an operand of one compare-and-swap. */
    static final int OPERAND_BYTES = Image.OPERAND_BITS / 8;

    private Conditions() {
    }

    /**
     * Runs {@code action} if its operand is {@code expected}.
     *
     * @param queue of the program
     * @param ready signalled, after which the operands are in place; null when they are there already
     * @param action dormant and signalled, added to a managed queue that is not {@code queue}
     * @param expected 48 bits; others may write it over, see {@link Wr#lowOperand}
     */
    public static Construct ifEqual(
            ProgramBuilder program, ChainQueue queue, WorkRequest ready, WorkRequest action, long expected) {
        return ifEqual(program, queue, ready, action, action, expected);
    }

    /** The same where the queue of the action runs on to {@code last}. */
    static Construct ifEqual(
            ProgramBuilder program,
            ChainQueue queue,
            WorkRequest ready,
            WorkRequest action,
            WorkRequest last,
            long expected) {
        List<WorkRequest> wrs = new ArrayList<>();
        if (ready != null) {
            wrs.add(program.add(queue, Wr.await(ready)));
        }
        WorkRequest compare = program.add(queue, Wr.turnOn(action, expected).fenced().signalled());
        wrs.add(compare);
        wrs.add(program.add(queue, Wr.await(compare)));
        wrs.addAll(enable(program, queue, action, last));
        return new Construct(wrs, List.of(action), last);
    }

    /**
     * Enables what a condition turns on, and what is behind that up to {@code last}. Where that is changed by the
     * action, and in a queue that prefetches, it is enabled once the action is complete: 2 ordering verbs more.
     *
     * @return what was added, and what it enables
     */
    static List<WorkRequest> enable(
            ProgramBuilder program, ChainQueue queue, WorkRequest action, WorkRequest last) {
        List<WorkRequest> wrs = new ArrayList<>();
        if (last != action && action.queue().prefetches()) {
            wrs.add(program.add(queue, Wr.enable(action)));
            wrs.add(program.add(queue, Wr.await(action.signalled())));
        }
        wrs.add(program.add(queue, Wr.enable(last)));
        wrs.add(action);
        if (last != action) {
            wrs.add(last);
        }
        return wrs;
    }

    /**
     * Runs {@code action} if the bytes of its operands are these, 6 for each compare-and-swap: each turns on the next,
     * the last turns on the action. Between two of them the operands must not change, since together they are not
     * atomic. For each 6 bytes after the first: 1 atomic and 2 ordering verbs more.
     *
     * @param expected at least 1 byte; 8 for a 64-bit number, big-endian
     * @param conditional managed, where the action is to be added; the compare-and-swaps go there before it
     * @param action dormant and signalled, in no queue yet
     */
    public static Construct ifEqual(
            ProgramBuilder program,
            ChainQueue queue,
            ChainQueue conditional,
            WorkRequest ready,
            WorkRequest action,
            byte[] expected) {
        if (expected.length == 0) {
            throw new IllegalArgumentException("nothing to compare: expected has no bytes");
        }
        int parts = (expected.length + OPERAND_BYTES - 1) / OPERAND_BYTES;
        List<WorkRequest> operands = new ArrayList<>();
        operands.add(action);
        for (int part = parts - 1; part > 0; part--) {
            WorkRequest next = operands.get(0);
            operands.add(0, Wr.turnOn(next, part(expected, part)).fenced().signalled().dormant());
        }
        operands.forEach(wr -> program.add(conditional, wr));
        List<WorkRequest> wrs = new ArrayList<>(
                ifEqual(program, queue, ready, operands.get(0), part(expected, 0)).wrs());
        for (int part = 1; part < parts; part++) {
            wrs.add(program.add(queue, Wr.await(operands.get(part - 1))));
            wrs.add(program.add(queue, Wr.enable(operands.get(part))));
            wrs.add(operands.get(part));
        }
        return new Construct(wrs, operands, action);
    }

    private static long part(byte[] bytes, int part) {
        long value = 0;
        for (int i = part * OPERAND_BYTES; i < (part + 1) * OPERAND_BYTES; i++) {
            value = value << 8 | (i < bytes.length ? bytes[i] & 0xff : 0);
        }
        return value;
    }

    /**
     * Reads a value into the operands of a condition, 8 of them at most: the highest byte first.
     *
     * @param value 6 bytes for each operand, the last may have fewer
     */
    public static WorkRequest load(ProgramBuilder program, ChainQueue queue, Place value, List<WorkRequest> operands) {
        if (value.length() > operands.size() * OPERAND_BYTES) {
            throw new IllegalArgumentException("value has more bytes than its operands: bytes=" + value.length()
                    + " operands=" + operands.size());
        }
        List<Place> into = new ArrayList<>();
        int remaining = value.length();
        for (WorkRequest operand : operands) {
            for (Place piece : operand.operand()) {
                int count = Math.min(remaining, piece.length());
                if (count > 0) {
                    into.add(piece.slice(0, count));
                    remaining -= count;
                }
            }
        }
        return program.add(queue, Wr.read(value, into.toArray(Place[]::new)).comment("loads the operand"));
    }

    /** Reads a big-endian word's low 48 bits into what a compare-and-swap expects. */
    public static WorkRequest loadExpected(
            ProgramBuilder program, ChainQueue queue, Place word, WorkRequest turnOn) {
        Place high = Wr.highOperand(turnOn);
        Place low = Wr.lowOperand(turnOn);
        return program.add(queue, Wr.read(word.slice(word.length() - OPERAND_BYTES, OPERAND_BYTES),
                high.slice(2, 1), high.slice(1, 1), high.slice(0, 1),
                low.slice(2, 1), low.slice(1, 1), low.slice(0, 1)).comment("loads what is expected"));
    }

    /**
     * Runs {@code action} if two words are equal.
     *
     * @param left big-endian, 8 bytes; the value 0 to 2<sup>48</sup>-1
     * @param right the same
     */
    public static Construct ifEqual(
            ProgramBuilder program, ChainQueue queue, Place left, Place right, WorkRequest action) {
        return ifEqual(program, queue, left, right, Loops.Iteration.of(action));
    }

    /** The same for what {@link Loops#breakable} adds. */
    static Construct ifEqual(
            ProgramBuilder program, ChainQueue queue, Place left, Place right, Loops.Iteration iteration) {
        WorkRequest action = iteration.found();
        List<WorkRequest> wrs = new ArrayList<>();
        wrs.add(load(program, queue, left.slice(2, OPERAND_BYTES), List.of(action)));
        WorkRequest compare = Wr.turnOn(action, 0).fenced().signalled();
        WorkRequest expected = loadExpected(program, queue, right, compare);
        wrs.add(expected);
        wrs.addAll(program.stage(queue, expected));
        wrs.add(program.add(queue, compare));
        wrs.add(program.add(queue, Wr.await(compare)));
        wrs.addAll(enable(program, queue, action, iteration.last()));
        return new Construct(wrs, List.of(action), iteration.last());
    }

    /**
     * Runs {@code action} if {@code left < right}: MAX(left + 1, right) is right then.
     *
     * @param left big-endian, 8 bytes; the value 0 to 2<sup>48</sup>-2
     * @param right the same
     */
    public static Construct ifLess(
            ProgramBuilder program, ChainQueue queue, Place left, Place right, WorkRequest action) {
        List<WorkRequest> wrs = new ArrayList<>();
        Place one = program.constant("one", 1);
        Place sum = program.variable("left + 1", 8, 8);
        Place greatest = program.variable("greatest", 8, 8);
        wrs.add(program.add(queue, Wr.calculate(Calculation.ADD, sum, left, one)));
        wrs.add(program.add(queue, Wr.calculate(Calculation.MAX, greatest, sum, right)));
        wrs.addAll(ifEqual(program, queue, greatest, right, action).wrs());
        return new Construct(wrs, List.of(action), action);
    }

    /** Runs {@code action} if {@code left > right}; values as in {@link #ifLess}. */
    public static Construct ifGreater(
            ProgramBuilder program, ChainQueue queue, Place left, Place right, WorkRequest action) {
        return ifLess(program, queue, right, left, action);
    }

    /** Stores the lesser of two words of 48 bits: the complement of the greatest complement. */
    public static Construct min(ProgramBuilder program, ChainQueue queue, Place to, Place left, Place right) {
        Place mask = program.constant("48 ones", Image.MAX_OPERAND);
        Place[] complements = new Place[2];
        List<WorkRequest> wrs = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            complements[i] = program.variable("complement", 8, 8);
            wrs.add(program.add(queue,
                    Wr.calculate(Calculation.XOR, complements[i], i == 0 ? left : right, mask)));
        }
        Place greatest = program.variable("greatest complement", 8, 8);
        wrs.add(program.add(queue, Wr.calculate(Calculation.MAX, greatest, complements)));
        WorkRequest last = program.add(queue, Wr.calculate(Calculation.XOR, to, greatest, mask));
        wrs.add(last);
        return new Construct(wrs, List.of(), last);
    }
}
