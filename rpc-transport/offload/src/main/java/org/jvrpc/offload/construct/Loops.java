package org.jvrpc.offload.construct;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.build.Recycler;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.queue.Field;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;

/**
 * Loops. An iteration has a dormant WR that a compare-and-swap turns on when the iteration finds what it looks for; the
 * next iteration waits for the completion of the iteration's last WR. A {@linkplain #breakable break} takes that
 * completion away, so that no further iteration runs.
 *
 * <p>Per iteration: unrolled, 1 copy verb, 1 atomic, 3 ordering verbs; recycled, 3, 2 and 4. A break is 1 copy verb
 * more. In queues that prefetch, a break has 2 ordering verbs more, and a recycled lap has 1 copy verb and 2 ordering
 * verbs more, as its update is in two.
 */
public final class Loops {

    /**
     * One iteration's conditional WRs.
     *
     * @param found dormant: what a compare-and-swap turns on
     * @param last signalled: what the next iteration waits for; {@code found} itself where there is no break
     */
    public record Iteration(WorkRequest found, WorkRequest last) {

        /** An iteration that goes on whatever it finds. */
        public static Iteration of(WorkRequest action) {
            return new Iteration(action, action);
        }
    }

    private Loops() {
    }

    /**
     * Adds an answer and the break before it: a WRITE that, once turned on, writes over the answer's ctrl segment. The
     * answer is a NOP with a completion before that, and runs without a completion after it, so that whoever waits for
     * one waits for ever. Programs that follow over the same queues count on that completion, too: take new queues.
     *
     * @param conditional managed, where both are added
     * @param answer in no queue yet
     */
    public static Iteration breakable(ProgramBuilder program, ChainQueue conditional, WorkRequest answer) {
        answer.dormant().signalled();
        WorkRequest exit = Wr.write(answer.field(Field.CTRL), program.liveControl(answer, false))
                .dormant().comment("break");
        program.add(conditional, exit);
        program.add(conditional, answer);
        return new Iteration(exit, answer);
    }

    /**
     * Runs as many iterations as there are, until one breaks.
     *
     * @param queue of the program
     * @param ready signalled, after which the first iteration's operands are in place; may be null
     * @param iterations whose operands others load, in place before each begins
     * @param expected what each looks for, 48 bits
     */
    public static List<Construct> whileUnrolled(
            ProgramBuilder program,
            ChainQueue queue,
            WorkRequest ready,
            List<Iteration> iterations,
            long expected) {
        List<Construct> constructs = new ArrayList<>();
        WorkRequest before = ready;
        for (Iteration iteration : iterations) {
            constructs.add(Conditions.ifEqual(
                    program, queue, before, iteration.found(), iteration.last(), expected));
            before = iteration.last();
        }
        return constructs;
    }

    /**
     * Runs one iteration again and again without a CPU, until it breaks or for ever. The queue's ring is one lap of the
     * loop, as is that of the conditional queue.
     *
     * @param queue where the loop is added, and nothing else; its ring is best as long as the conditional queue's where
     *     an address advances, else as short as it can be
     * @param fetch what brings the operand, and the rest of the dormant WR's image with it, since a lap before may have
     *     turned it on; {@link #restore} if the operand comes without
     * @return the construct; {@link Recycler#cursor} for addresses that advance is for who passes the recycler
     */
    public static Construct whileRecycled(
            ProgramBuilder program,
            Recycler recycler,
            ChainQueue queue,
            List<WorkRequest> fetch,
            Iteration iteration,
            long expected) {
        List<WorkRequest> wrs = new ArrayList<>();
        recycler.lapBeginsHere(queue);
        wrs.addAll(program.stage(queue));
        for (WorkRequest wr : fetch) {
            wrs.add(program.add(queue, wr));
        }
        WorkRequest compare = Wr.turnOn(iteration.found(), expected).fenced().signalled();
        if (queue.prefetches()) {
            recycler.updateHere(queue); // the WAIT for the compare-and-swap is one for the update then
        }
        wrs.add(program.add(queue, compare));
        wrs.add(program.add(queue, Wr.await(compare)));
        if (!queue.prefetches()) {
            recycler.updateHere(queue);
        }
        ChainQueue conditional = iteration.last().queue();
        // Where both rings are of one size, the two ENABLEs need the same numbers a lap apart: one field has both.
        if (conditional.blocks() == queue.blocks() && !conditional.prefetches()) {
            wrs.add(program.add(queue, Wr.enableLap(conditional)));
            wrs.add(iteration.found());
            if (iteration.last() != iteration.found()) {
                wrs.add(iteration.last());
            }
        } else {
            wrs.addAll(Conditions.enable(program, queue, iteration.found(), iteration.last()));
        }
        wrs.add(program.add(queue, Wr.await(iteration.last())));
        wrs.add(program.add(queue, Wr.enableNextLap(queue)));
        return new Construct(wrs, List.of(iteration.found()), iteration.last());
    }

    /**
     * Ends the program, or its loop, if two words are equal, by what {@link #breakable} added; else goes on behind.
     *
     * @param left big-endian, 8 bytes; the value 0 to 2<sup>48</sup>-1
     * @param right the same
     */
    public static Construct breakIfEqual(
            ProgramBuilder program, ChainQueue queue, Place left, Place right, Iteration iteration) {
        List<WorkRequest> wrs = new ArrayList<>(Conditions.ifEqual(program, queue, left, right, iteration).wrs());
        wrs.add(program.add(queue, Wr.await(iteration.last())));
        return new Construct(wrs, List.of(iteration.found()), iteration.last());
    }

    /** Puts a dormant WR back to sleep: 1 copy verb. */
    public static WorkRequest restore(ProgramBuilder program, WorkRequest dormant) {
        return Wr.write(dormant.field(Field.IMAGE), program.sleepingImage(dormant)).comment("puts it to sleep");
    }
}
