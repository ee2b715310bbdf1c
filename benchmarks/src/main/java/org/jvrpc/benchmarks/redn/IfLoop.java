package org.jvrpc.benchmarks.redn;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Pipeline;
import org.jvrpc.benchmarks.harness.ServerEnd;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.offload.ChainCq;
import org.jvrpc.offload.ChainQueue;
import org.jvrpc.offload.Counts;
import org.jvrpc.offload.Field;
import org.jvrpc.offload.Image;
import org.jvrpc.offload.Loops;
import org.jvrpc.offload.Place;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.Recycler;
import org.jvrpc.offload.WorkRequest;
import org.jvrpc.offload.Wr;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.WorkCompletion;

/**
 * A recycled program whose lap is some {@code if} constructs, each of 1 copy verb, 1 atomic and 3 ordering verbs; every
 * other one is true. One READ a lap brings their operands. Runs by itself, on the thread that polls.
 */
public final class IfLoop implements ClientEnd {

    /** The constructs of a lap: as many as the indices of a recycled program allow. */
    static final int IFS = 7;
    private static final int EXPECTED = 42;
    private static final int ALL =
            Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;

    private Device device;
    private ProtectionDomain pd;
    private CompletionQueue kickCq;
    private ByteBuffer results;
    private long wrs;
    private final WorkCompletion wc = new WorkCompletion();

    /** The other process has nothing to do. */
    public static ServerEnd server() {
        return new ServerEnd() {
            @Override
            public String start(java.nio.file.Path directory, int clients) {
                return "none";
            }

            @Override
            public void close() {
                // nothing was opened
            }
        };
    }

    @Override
    public void connect(String address, int index) {
        device = Devices.open("shm://any");
        pd = device.allocatePd();
        MemoryRegion data = pd.allocate(4096, ALL);
        results = data.buffer(1024, 8 * IFS).order(ByteOrder.BIG_ENDIAN);
        ChainQueue worker = queue("W", 64);
        ChainQueue actions = queue("R", 8);
        ProgramBuilder builder = new ProgramBuilder("ifs", pd.allocate(4096, ALL));
        Recycler recycler = builder.recycle();
        ByteBuffer operands = data.buffer(0, 8 * IFS).order(ByteOrder.BIG_ENDIAN);
        List<Loops.Iteration> ifs = new ArrayList<>();
        Place[] images = new Place[IFS];
        Place one = builder.constant("one", 1);
        for (int i = 0; i < IFS; i++) {
            operands.putLong(8 * i, Image.of(i % 2 == 0 ? EXPECTED : EXPECTED + i, 3));
            Place result = Place.of(data, 1024 + 8L * i, 8, "result " + i);
            ifs.add(Loops.Iteration.of(builder.add(actions, Wr.write(result, one).signalled().dormant())));
            images[i] = ifs.get(i).found().field(Field.IMAGE);
        }
        builder.add(worker, Wr.read(Place.of(data, 0, 8 * IFS, "operands"), images));
        Loops.whileUnrolled(builder, worker, null, ifs, EXPECTED);
        recycler.updateHere(worker);
        WorkRequest last = ifs.get(IFS - 1).last();
        builder.add(worker, Wr.await(last));
        builder.add(worker, Wr.enableNextLap(worker));
        builder.start(Wr.enableLap(worker));
        Program program = builder.build();
        Counts counts = program.counts();
        wrs = counts.copies() + counts.atomics() + counts.orders() + counts.others();
        kickCq = device.createCq(CompletionQueueAttributes.ofChains(64));
        Mlx5QueuePair kick = (Mlx5QueuePair) pd.createQp(new QueuePairAttributes(kickCq, kickCq)
                .crossChannel(true).depth(16, 1));
        kick.init();
        kick.connect(kick.endpoint());
        program.load();
        program.kick(kick);
    }

    private ChainQueue queue(String name, int blocks) {
        CompletionQueue cq = device.createCq(CompletionQueueAttributes.ofChains(64));
        Mlx5QueuePair qp = (Mlx5QueuePair) pd.createQp(new QueuePairAttributes(cq, cq)
                .crossChannel(true).managed(true, false).checked(false).depth(blocks, 1).sges(1, 1));
        qp.init();
        qp.connect(qp.endpoint());
        ChainCq completions = ChainCq.of(name + ".cq", cq);
        return ChainQueue.managed(name, qp, qp.registerSendRing(pd, ALL), completions, completions);
    }

    /** Runs until a time, and returns how many constructs were executed. */
    long run(long endNs) {
        long before = pd.chains().executed();
        for (int i = 0; i < IFS; i++) {
            results.putLong(8 * i, 0);
        }
        while (System.nanoTime() < endNs) {
            if (kickCq.poll(wc) && !wc.succeeded()) {
                throw new IllegalStateException("the program did not start: " + wc.status());
            }
        }
        for (int i = 0; i < IFS; i++) {
            if (results.getLong(8 * i) != (i % 2 == 0 ? 1 : 0)) {
                throw new IllegalStateException("if number " + i + " gave " + results.getLong(8 * i));
            }
        }
        return Math.round((double) (pd.chains().executed() - before) / wrs * IFS);
    }

    @Override
    public Pipeline pipeline() {
        return (window, endNs) -> run(endNs);
    }

    @Override
    public Operation operation(Workload workload) {
        throw workload.unsupported();
    }

    @Override
    public void close() {
        if (device != null) {
            device.close();
        }
    }
}
