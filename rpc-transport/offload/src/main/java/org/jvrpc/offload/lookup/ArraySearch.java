package org.jvrpc.offload.lookup;

import org.jvrpc.mlx5.Wqe;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.queue.Field;
import org.jvrpc.offload.queue.Image;
import org.jvrpc.offload.table.KeyArray;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;

/**
 * Finds a key among 8 that lie side by side, and answers which it is. One READ puts the keys into 8 ADDs that count;
 * before each, a compare-and-swap that finds the key there makes a NOP of it which is as long as all that is left of
 * the search, so that the count stays. The last ADD makes 0 of it.
 *
 * <p>Not for queues that prefetch, where it is refused: each ADD is changed by the compare-and-swap before it, and
 * would need a WAIT and an ENABLE of its own between the two, over which a jump must not go.
 *
 * <p>The request is the image of the key once for each compare-and-swap, 8 bytes each, the address of the keys, 8
 * bytes, the number 1, 8 bytes, little-endian, and the request's number.
 */
final class ArraySearch {

    static final int KEYS = KeyArray.SEARCHED;
    static final int REQUEST_BYTES = 8 * KEYS + 24;

    private final LookupQueues queues;
    private final ProgramBuilder program;
    private final WorkRequest trigger;
    private final WorkRequest end = Wr.nop().signalled().comment("the end of the search");
    private final WorkRequest answer;
    private final WorkRequest done;

    private ArraySearch(LookupQueues queues, String name) {
        this.queues = queues;
        this.program = queues.begin(name);
        Place number = program.variable("number", 8, 8);
        Place count = program.variable("count", 8, 8);
        WorkRequest[] adds = new WorkRequest[KEYS];
        WorkRequest[] tests = new WorkRequest[KEYS];
        Place[] images = new Place[KEYS];
        Place[] request = new Place[KEYS + 3];
        for (int i = 0; i < KEYS; i++) {
            int blocks = 2 * (KEYS - i) - 1;
            adds[i] = Wr.fetchAndAdd(count, i < KEYS - 1 ? 1 : -KEYS, null).comment("the next one");
            images[i] = adds[i].field(Field.IMAGE);
            tests[i] = Wr.compareAndSwap(images[i], 0, Image.asOperand(Image.of(0, blocks * Wqe.BLOCK / Wqe.SEGMENT)),
                    null).fenced().comment("is it the key? then jump over " + blocks + " blocks");
            request[i] = tests[i].field(Field.COMPARE);
        }
        WorkRequest fetch = Wr.read(queues.data(8 * KEYS, "keys"), images).comment(KEYS + " keys");
        request[KEYS] = fetch.field(Field.REMOTE_ADDRESS);
        request[KEYS + 1] = count;
        request[KEYS + 2] = number;
        this.trigger = Wr.trigger(request).comment("request");
        this.answer = Wr.write(queues.answer().slice(0, 8), count).comment("answer");
        this.done = Wr.write(queues.done(), number).comment("which request is answered");
        ChainQueue worker = queues.workers()[0];
        program.add(worker, Wr.await(trigger));
        program.add(worker, fetch);
        for (int i = 0; i < KEYS; i++) {
            program.add(worker, tests[i]);
            program.add(worker, adds[i]);
        }
        program.add(worker, end);
    }

    /** Runs again and again without a CPU. */
    static Program recycled(LookupQueues queues) {
        ArraySearch search = new ArraySearch(queues, "array search");
        ProgramBuilder program = search.program;
        ChainQueue worker = queues.workers()[0];
        WorkRequest again = Wr.enable(search.trigger, 1).comment("takes the next request");
        program.recycle().updateHere(worker);
        program.add(worker, Wr.await(search.end));
        program.add(worker, Wr.enable(again));
        program.add(worker, Wr.enableNextLap(worker));
        search.addAnswers();
        program.add(queues.answers(), again);
        program.start(Wr.enableLap(worker));
        program.start(Wr.enable(search.trigger));
        return program.build();
    }

    /** The same for one request, to be followed by others that a CPU writes behind it. */
    static Program once(LookupQueues queues) {
        ArraySearch search = new ArraySearch(queues, "array search, once");
        ProgramBuilder program = search.program;
        ChainQueue worker = queues.workers()[0];
        program.add(worker, Wr.await(search.end));
        WorkRequest enable = program.add(worker, Wr.enable(search.done));
        search.addAnswers();
        program.start(Wr.enable(enable));
        program.start(Wr.enable(search.trigger));
        return program.build();
    }

    private void addAnswers() {
        program.add(queues.answers(), trigger);
        program.add(queues.answers(), answer);
        program.add(queues.answers(), done);
    }
}
