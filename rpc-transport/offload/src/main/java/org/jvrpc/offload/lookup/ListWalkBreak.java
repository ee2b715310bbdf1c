package org.jvrpc.offload.lookup;

import org.jvrpc.mlx5.Wqe;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.queue.Field;
import org.jvrpc.offload.queue.Image;
import org.jvrpc.offload.table.Node;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;

/**
 * Walks a list until a node has the key. A node is read over the head of the READ of the next one, so that the key
 * lies in that READ; a compare-and-swap that finds it there makes a NOP of it which is as long as all that is left of
 * the walk. An iteration is one READ and one compare-and-swap, and those after the break are not executed. The READ
 * behind the last node runs where no node had the key, and brings an answer that does nothing.
 *
 * <p>The request is the image of the key once for each compare-and-swap, 8 bytes each, the address of the first node, 8
 * bytes, and the request's number.
 *
 * <p>Difference: the break of the paper takes a completion away, which stops the queue for good; a jump lets a recycled
 * ring run on. A NOP of several blocks is one WQE, as at the end of a ring. Not for queues that prefetch, where it is
 * refused: each READ is changed by the one before it, and would need a WAIT and an ENABLE of its own between the two,
 * over which a jump must not go.
 */
final class ListWalkBreak {

    static final int NODES = 8;
    static final int REQUEST_BYTES = 8 * NODES + 16;
    private static final int REST_BYTES = Node.HEAD_BYTES - 8;

    private final LookupQueues queues;
    private final ProgramBuilder program;
    private final WorkRequest answer;
    private final WorkRequest trigger;
    private final WorkRequest hand;
    private final WorkRequest done;

    private ListWalkBreak(LookupQueues queues, String name) {
        this.queues = queues;
        this.program = queues.begin(name);
        Place request = program.variable("request", REQUEST_BYTES, 8);
        Place found = program.variable("rest of a node, answer", REST_BYTES + Node.ANSWER_BYTES, 16);
        Place brought = found.slice(REST_BYTES, Node.ANSWER_BYTES).named("answer of the node");
        WorkRequest[] reads = reads(found, brought);
        WorkRequest[] tests = new WorkRequest[NODES];
        Place[] operands = new Place[NODES + 1];
        for (int i = 0; i < NODES; i++) {
            // A READ and a compare-and-swap are a block each; behind those left there is the READ of the end.
            int blocks = 2 * (NODES - i) - 1;
            long jump = Image.of(0, blocks * Wqe.BLOCK / Wqe.SEGMENT);
            tests[i] = Wr.compareAndSwap(reads[i + 1].field(Field.IMAGE), 0, Image.asOperand(jump), null).fenced()
                    .comment("is it the key? then jump over " + blocks + " blocks");
            operands[i] = tests[i].field(Field.COMPARE);
        }
        operands[NODES] = reads[0].field(Field.REMOTE_ADDRESS);
        // A READ scatters faster than a receive does.
        WorkRequest deal = Wr.read(request.slice(0, 8 * NODES + 8), operands).comment("hands key and address out");
        Place number = request.slice(8 * NODES + 8, 8).named("number");
        this.trigger = Wr.trigger(request).comment("request");
        this.answer = Wr.write(queues.answer().slice(0, 8), queues.data(8, "value")).dormant().comment("answer");
        this.hand = Wr.read(brought, answer.field(Field.IMAGE), answer.data(0, Field.DATA_ADDRESS),
                answer.data(0, Field.DATA_LENGTH)).signalled().comment("makes the answer");
        this.done = Wr.write(queues.done(), number).comment("which request is answered");
        ChainQueue worker = queues.workers()[0];
        program.add(worker, Wr.await(trigger));
        program.add(worker, deal);
        for (int i = 0; i < NODES; i++) {
            program.add(worker, reads[i]);
            program.add(worker, tests[i]);
        }
        program.add(worker, reads[NODES]);
        program.add(worker, hand);
    }

    /** The READs, from the last, which others do not follow, to the first: each fills in the next. */
    private WorkRequest[] reads(Place found, Place brought) {
        WorkRequest[] reads = new WorkRequest[NODES + 1];
        Place scratch = program.scratch();
        byte[] nothing = new byte[Node.HEAD_BYTES + Node.ANSWER_BYTES];
        nothing[nothing.length - 13] = 3; // ds of a NOP that is as long as the answer
        reads[NODES] = Wr.read(program.constant("nothing", nothing), scratch.slice(0, Node.HEAD_BYTES), brought)
                .comment("no node has the key");
        for (int i = NODES - 1; i >= 0; i--) {
            Place node = queues.data(Node.HEAD_BYTES + Node.ANSWER_BYTES, "node");
            // The last one keeps the address of what it brings.
            reads[i] = i == NODES - 1 ? Wr.read(node, reads[i + 1].field(Field.IMAGE), found)
                    : Wr.read(node, reads[i + 1].field(Field.HEAD), brought);
            reads[i].comment("node " + (i + 1));
        }
        return reads;
    }

    /** Runs again and again without a CPU. */
    static Program recycled(LookupQueues queues) {
        ListWalkBreak walk = new ListWalkBreak(queues, "list walk with break");
        ProgramBuilder program = walk.program;
        ChainQueue worker = queues.workers()[0];
        WorkRequest again = Wr.enable(walk.trigger, 1).comment("takes the next request");
        program.recycle().updateHere(worker);
        program.add(worker, Wr.await(walk.hand));
        program.add(worker, Wr.enable(again));
        program.add(worker, Wr.enableNextLap(worker));
        walk.addAnswers(again);
        program.start(Wr.enableLap(worker));
        program.start(Wr.enable(walk.trigger));
        return program.build();
    }

    /** The same for one request, to be followed by others that a CPU writes behind it. */
    static Program once(LookupQueues queues) {
        ListWalkBreak walk = new ListWalkBreak(queues, "list walk with break, once");
        ProgramBuilder program = walk.program;
        ChainQueue worker = queues.workers()[0];
        program.add(worker, Wr.await(walk.hand));
        WorkRequest enable = program.add(worker, Wr.enable(walk.done));
        walk.addAnswers();
        program.start(Wr.enable(enable));
        program.start(Wr.enable(walk.trigger));
        return program.build();
    }

    private void addAnswers(WorkRequest... behind) {
        program.add(queues.answers(), trigger);
        program.add(queues.answers(), answer);
        program.add(queues.answers(), done);
        for (WorkRequest wr : behind) {
            program.add(queues.answers(), wr);
        }
    }
}
