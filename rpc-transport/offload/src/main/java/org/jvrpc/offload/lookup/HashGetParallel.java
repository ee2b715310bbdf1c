package org.jvrpc.offload.lookup;

import org.jvrpc.offload.Program;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.build.Recycler;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.queue.Field;
import org.jvrpc.offload.table.Bucket;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;

/**
 * Gets a key's value from whichever of two buckets has it, as {@link HashGet} does, but each bucket is looked at by a
 * queue of its own. The first queue starts the second, so that both go on at once where a device has two processing
 * units, and answers from its bucket without waiting for the other's. The request is that of {@link HashGet}, and so is
 * what differs in queues that prefetch.
 */
final class HashGetParallel {

    private static final int BUCKETS = HashGet.BUCKETS;

    private final ChainQueue first;
    private final ChainQueue second;
    private final ChainQueue answerQueue;
    private final ProgramBuilder program;
    private final WorkRequest[] answers = new WorkRequest[BUCKETS];
    private final WorkRequest[] reads = new WorkRequest[BUCKETS];
    private final WorkRequest[] tests = new WorkRequest[BUCKETS];
    private final WorkRequest trigger;
    private final WorkRequest deal;
    private final WorkRequest done;

    private HashGetParallel(LookupQueues queues, String name) {
        this.first = queues.workers()[0];
        this.second = queues.workers()[1];
        this.answerQueue = queues.answers();
        this.program = queues.begin(name);
        Place request = program.variable("request", HashGet.REQUEST_BYTES, 8);
        Place number = request.slice(16 * BUCKETS, 8).named("number");
        Place[] operands = new Place[2 * BUCKETS];
        for (int i = 0; i < BUCKETS; i++) {
            String which = i == 0 ? "first bucket" : "second bucket";
            answers[i] = Wr.write(queues.answer().slice(0, 8), queues.data(8, "value")).dormant()
                    .comment("answer, " + which);
            reads[i] = Wr.read(queues.data(Bucket.READ_BYTES, which), answers[i].field(Field.IMAGE),
                    answers[i].data(0, Field.DATA_ADDRESS), answers[i].data(0, Field.DATA_LENGTH)).comment(which);
            tests[i] = Wr.turnOn(answers[i], 0).fenced().signalled().comment("is it the key?");
            operands[2 * i] = tests[i].field(Field.COMPARE);
            operands[2 * i + 1] = reads[i].field(Field.REMOTE_ADDRESS);
        }
        // A READ scatters faster than a receive does.
        this.deal = Wr.read(request.slice(0, 16 * BUCKETS), operands).comment("hands key and addresses out");
        this.trigger = Wr.trigger(request).comment("request");
        this.done = Wr.write(queues.done(), number).comment("which request is answered");
    }

    /** Runs again and again without a CPU. */
    static Program recycled(LookupQueues queues) {
        HashGetParallel get = new HashGetParallel(queues, "parallel hash get");
        WorkRequest again = Wr.enable(get.trigger, 1).comment("takes the next request");
        Recycler recycler = get.program.recycle();
        recycler.lapBeginsHere(get.first);
        get.add(get.first, Wr.await(get.trigger), get.deal);
        get.program.stage(get.first, get.deal);
        get.add(get.first, Wr.enableLap(get.second).comment("starts the second queue"), get.reads[0]);
        if (get.first.prefetches()) {
            recycler.updateHere(get.first); // the WAIT for the test is one for the update then
            get.add(get.first, get.tests[0]);
        } else {
            get.add(get.first, get.tests[0]);
            recycler.updateHere(get.first);
        }
        get.add(get.first, Wr.await(get.tests[0]), Wr.enable(get.answers[0]), Wr.await(get.tests[1]),
                Wr.enable(again), Wr.enableNextLap(get.first));
        get.add(get.second, get.reads[1], get.tests[1]);
        get.add(get.answerQueue, get.trigger, get.answers[0], get.answers[1], get.done, again);
        get.program.start(Wr.enableLap(get.first));
        get.program.start(Wr.enable(get.trigger));
        return get.program.build();
    }

    /** The same for one request, to be followed by others that a CPU writes behind it. */
    static Program once(LookupQueues queues) {
        HashGetParallel get = new HashGetParallel(queues, "parallel hash get, once");
        queues.awaitOnce(get.program, get.trigger);
        get.add(get.first, get.deal);
        get.program.stage(get.first, get.deal);
        get.add(get.first, Wr.enable(get.tests[1]).comment("starts the second queue"), get.reads[0], get.tests[0],
                Wr.await(get.tests[0]), Wr.enable(get.answers[0]), Wr.await(get.tests[1]), Wr.enable(get.done));
        get.add(get.second, get.reads[1], get.tests[1]);
        get.add(get.answerQueue, get.trigger, get.answers[0], get.answers[1], get.done);
        queues.startOnce(get.program, get.trigger, get.tests[0]);
        return get.program.build();
    }

    private void add(ChainQueue queue, WorkRequest... wrs) {
        for (WorkRequest wr : wrs) {
            program.add(queue, wr);
        }
    }
}
