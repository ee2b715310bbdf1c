package org.jvrpc.offload.lookup;

import org.jvrpc.offload.Program;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.build.Recycler;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.queue.Field;
import org.jvrpc.offload.table.Node;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;

/**
 * Walks a list to its end, or to as many nodes as it has iterations, and answers as soon as a node has the key. A node
 * is read over an answer that sleeps as a NOP, and over the address of the next READ; a compare-and-swap turns the
 * answer on where the image is the key's; once that is complete the queue of answers may run one further.
 *
 * <p>The request is that of {@link ListWalkBreak}, with the other image of the key. Source: RedN, linkedlist_bench.c.
 * Difference: the ENABLE of the next node's WRs is there only in a queue that prefetches.
 */
final class ListWalk {

    static final int NODES = ListWalkBreak.NODES;

    private final LookupQueues queues;
    private final ProgramBuilder program;
    private final WorkRequest[] answers = new WorkRequest[NODES];
    private final WorkRequest trigger;
    private final WorkRequest done;
    private final WorkRequest deal;
    private final WorkRequest[] reads = new WorkRequest[NODES];
    private final WorkRequest[] tests = new WorkRequest[NODES];

    private ListWalk(LookupQueues queues, String name) {
        this.queues = queues;
        this.program = queues.begin(name);
        Place request = program.variable("request", ListWalkBreak.REQUEST_BYTES, 8);
        Place nowhere = program.variable("unused", 16, 8);
        Place[] operands = new Place[NODES + 1];
        for (int i = NODES - 1; i >= 0; i--) {
            answers[i] = Wr.write(queues.answer().slice(0, 8), queues.data(8, "value")).dormant()
                    .comment("answer, node " + (i + 1));
            Place next = i == NODES - 1 ? nowhere.slice(0, 8) : reads[i + 1].field(Field.REMOTE_ADDRESS);
            reads[i] = Wr.read(queues.data(Node.OWNER, "node"), nowhere, next, nowhere.slice(8, 8),
                    answers[i].data(0, Field.DATA_ADDRESS), answers[i].data(0, Field.DATA_LENGTH),
                    nowhere.slice(8, 4), answers[i].field(Field.IMAGE)).comment("node " + (i + 1));
            tests[i] = Wr.turnOn(answers[i], 0).fenced().signalled().comment("is it the key?");
            operands[i] = tests[i].field(Field.COMPARE);
        }
        operands[NODES] = reads[0].field(Field.REMOTE_ADDRESS);
        // A READ scatters faster than a receive does.
        this.deal = Wr.read(request.slice(0, 8 * NODES + 8), operands).comment("hands key and address out");
        Place number = request.slice(8 * NODES + 8, 8).named("number");
        this.trigger = Wr.trigger(request).comment("request");
        this.done = Wr.write(queues.done(), number).comment("which request is answered");
    }

    /** Adds all but the last test. */
    private void addWalk(ChainQueue worker) {
        program.add(worker, deal);
        program.stage(worker, deal);
        for (int i = 0; i < NODES - 1; i++) {
            program.add(worker, reads[i]);
            program.add(worker, tests[i]);
            program.add(worker, Wr.await(tests[i]));
            program.add(worker, Wr.enable(answers[i]));
            program.stage(worker);
        }
        program.add(worker, reads[NODES - 1]);
    }

    /** Runs again and again without a CPU. */
    static Program recycled(LookupQueues queues) {
        ListWalk walk = new ListWalk(queues, "list walk");
        ProgramBuilder program = walk.program;
        ChainQueue worker = queues.workers()[0];
        WorkRequest again = Wr.enable(walk.trigger, 1).comment("takes the next request");
        WorkRequest last = walk.tests[NODES - 1];
        Recycler recycler = program.recycle();
        recycler.lapBeginsHere(worker);
        program.add(worker, Wr.await(walk.trigger));
        walk.addWalk(worker);
        if (worker.prefetches()) {
            recycler.updateHere(worker); // the WAIT for the test is one for the update then
            program.add(worker, last);
        } else {
            program.add(worker, last);
            recycler.updateHere(worker);
        }
        program.add(worker, Wr.await(last));
        program.add(worker, Wr.enable(again));
        program.add(worker, Wr.enableNextLap(worker));
        walk.addAnswers(again);
        program.start(Wr.enableLap(worker));
        program.start(Wr.enable(walk.trigger));
        return program.build();
    }

    /** The same for one request, to be followed by others that a CPU writes behind it. */
    static Program once(LookupQueues queues) {
        ListWalk walk = new ListWalk(queues, "list walk, once");
        ProgramBuilder program = walk.program;
        ChainQueue worker = queues.workers()[0];
        WorkRequest last = walk.tests[NODES - 1];
        queues.awaitOnce(program, walk.trigger);
        walk.addWalk(worker);
        program.add(worker, last);
        program.add(worker, Wr.await(last));
        program.add(worker, Wr.enable(walk.done));
        walk.addAnswers();
        queues.startOnce(program, walk.trigger, last);
        return program.build();
    }

    private void addAnswers(WorkRequest... behind) {
        program.add(queues.answers(), trigger);
        for (WorkRequest answer : answers) {
            program.add(queues.answers(), answer);
        }
        program.add(queues.answers(), done);
        for (WorkRequest wr : behind) {
            program.add(queues.answers(), wr);
        }
    }
}
