package org.jvrpc.offload.construct;

import java.util.List;
import org.jvrpc.offload.ChainRig;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.wr.Calculation;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;

/** Makes WRs of {@link RandomCode}. */
final class CodeCompiler {

    private final ChainRig rig;
    private final ProgramBuilder program;
    private final Place[] variables = new Place[RandomCode.VARIABLES + 2];
    private final Place array;
    private final Place base;
    private final Place mask;
    private final Place indexMask;
    private final boolean recycled;
    private ChainQueue queue;
    private ChainQueue conditional;
    private WorkRequest end = Wr.nop();
    private int segments;

    /** @param recycled true when dormant WRs are put to sleep before each use */
    CodeCompiler(ChainRig rig, ProgramBuilder program, boolean recycled) {
        this.rig = rig;
        this.program = program;
        this.recycled = recycled;
        for (int i = 0; i < variables.length; i++) {
            variables[i] = rig.word("v" + i, 0);
        }
        array = rig.place("array", RandomCode.ARRAY * 8, 64);
        base = program.pointer("array's address", array);
        mask = program.constant("47 ones", RandomCode.MASK);
        indexMask = program.constant("index mask", (RandomCode.ARRAY - 1) * 8L);
    }

    void over(ChainQueue newQueue, ChainQueue newConditional) {
        queue = newQueue;
        conditional = newConditional;
    }

    void store(long[] values, long[] elements) {
        for (int i = 0; i < values.length; i++) {
            rig.put(variables[i], values[i]);
        }
        for (int i = 0; i < elements.length; i++) {
            rig.put(array.slice(8 * i, 8), elements[i]);
        }
    }

    long[] variables() {
        long[] values = new long[variables.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = rig.get(variables[i]);
        }
        return values;
    }

    long[] array() {
        long[] elements = new long[RandomCode.ARRAY];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = rig.get(array.slice(8 * i, 8));
        }
        return elements;
    }

    void compile(List<RandomCode.Statement> statements) {
        statements.forEach(this::compile);
    }

    private void compile(RandomCode.Statement statement) {
        if (statement instanceof RandomCode.Immediate one) {
            Mov.copy(program, queue, variables[one.to()], program.constant("immediate", one.value()));
        } else if (statement instanceof RandomCode.Copy one) {
            Mov.copy(program, queue, variables[one.to()], variables[one.from()]);
        } else if (statement instanceof RandomCode.Calculate one) {
            calculate(one.calculation(), variables[one.to()], variables[one.left()], variables[one.right()]);
        } else if (statement instanceof RandomCode.Load one) {
            Mov.loadIndexed(program, queue, variables[one.to()], base, offset(one.index()), rig.data);
        } else if (statement instanceof RandomCode.Store one) {
            Mov.storeIndexed(program, queue, base, offset(one.index()), rig.data, variables[one.from()]);
        } else if (statement instanceof RandomCode.If one) {
            conditional(one);
        } else {
            loop((RandomCode.Loop) statement);
        }
    }

    void calculate(Calculation calculation, Place to, Place left, Place right) {
        Place sum = program.variable("sum", 8, 8);
        program.add(queue, Wr.calculate(calculation, sum, left, right));
        program.add(queue, Wr.calculate(Calculation.AND, to, sum, mask));
    }

    void count(int counter, int step) {
        calculate(Calculation.ADD, variables[counter], variables[counter], program.constant("step", step));
    }

    private Place offset(int index) {
        Place offset = program.variable("offset", 8, 8);
        program.add(queue, Wr.calculate(Calculation.AND, offset, variables[index], indexMask));
        return offset;
    }

    private void conditional(RandomCode.If one) {
        Place left = variables[one.left()];
        Place right = variables[one.right()];
        WorkRequest action = program.add(conditional,
                Wr.write(variables[one.to()], variables[one.from()]).signalled().dormant());
        if (recycled) {
            program.add(queue, Loops.restore(program, action));
        }
        switch (one.comparison()) {
            case EQUAL -> Conditions.ifEqual(program, queue, left, right, action);
            case LESS -> Conditions.ifLess(program, queue, left, right, action);
            case GREATER -> Conditions.ifGreater(program, queue, left, right, action);
        }
        program.add(queue, Wr.await(action));
    }

    /** An unrolled loop; what follows it is in queues of its own, enabled by its end or by its break. */
    private void loop(RandomCode.Loop loop) {
        WorkRequest nextEnd = Wr.nop();
        for (int i = 0; i < loop.times(); i++) {
            compile(loop.body());
            breakIfEqual(loop.left(), loop.right(), Wr.enable(nextEnd));
        }
        program.add(queue, Wr.enable(nextEnd));
        finish();
        segments++;
        end = nextEnd;
        over(rig.worker("W" + segments, 512), rig.worker("R" + segments, 128));
    }

    /** Runs the answer, and nothing more of this queue, if two variables are equal. */
    void breakIfEqual(int left, int right, WorkRequest answer) {
        Loops.Iteration iteration = Loops.breakable(program, conditional, answer);
        if (recycled) {
            program.add(queue, Loops.restore(program, iteration.found()));
        }
        Loops.breakIfEqual(program, queue, variables[left], variables[right], iteration);
    }

    /** Adds the last WR of the queue, up to which it is enabled. */
    void finish() {
        program.add(queue, end);
    }

    /** Returns the last WR of the queue that the program is in now. */
    WorkRequest end() {
        return end;
    }
}
