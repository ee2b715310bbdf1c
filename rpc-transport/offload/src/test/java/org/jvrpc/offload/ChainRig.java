package org.jvrpc.offload;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.offload.queue.ChainCq;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Chains;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WorkCompletion;

/** A domain with memory, a queue that kicks, and as many queues that are connected to themselves as a test wants. */
public final class ChainRig implements AutoCloseable {

    public static final int ALL = Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;
    static final int MEMORY = 1 << 16;

    final Device device = Devices.open("shm://any");
    public final ProtectionDomain pd = device.allocatePd();
    public final MemoryRegion memory = pd.allocate(MEMORY, ALL);
    public final MemoryRegion data = pd.allocate(MEMORY, ALL);
    public final ByteBuffer bytes = data.buffer(0, MEMORY).order(ByteOrder.BIG_ENDIAN);
    public final Chains chains;
    public final Mlx5QueuePair master;
    private final CompletionQueue masterCq = device.createCq(CompletionQueueAttributes.ofChains(64));
    private final WorkCompletion wc = new WorkCompletion();
    private CompletionQueue lastReceiveCq;
    private int used;

    public ChainRig() {
        this(false);
    }

    /** @param prefetching true for a device whose managed queues fetch when an ENABLE allows */
    public ChainRig(boolean prefetching) {
        chains = prefetching ? Prefetching.call(pd::chains) : pd.chains();
        master = (Mlx5QueuePair) pd.createQp(new QueuePairAttributes(masterCq, masterCq)
                .crossChannel(true).depth(64, 1).sges(1, 1));
        master.init();
        master.connect(master.endpoint());
    }

    /** A managed queue of so many blocks, a power of two. */
    public ChainQueue worker(String name, int blocks) {
        return queue(name, blocks, true);
    }

    public ChainQueue queue(String name, int blocks, boolean managed) {
        ChainQueue queue = queueOf(name, blocks, managed, false, 1);
        queue.qp().connect(queue.qp().endpoint());
        return queue;
    }

    private ChainQueue queueOf(
            String name, int blocks, boolean managed, boolean managedReceive, int receives) {
        CompletionQueue send = device.createCq(CompletionQueueAttributes.ofChains(64));
        CompletionQueue receive = device.createCq(CompletionQueueAttributes.ofChains(64));
        lastReceiveCq = receive;
        Mlx5QueuePair qp = (Mlx5QueuePair) pd.createQp(new QueuePairAttributes(send, receive)
                .crossChannel(true)
                .managed(managed, managedReceive)
                .checked(false)
                .depth(blocks, receives)
                .sges(1, 16));
        if (qp.sendRingBlocks() != blocks) {
            throw new AssertionError("ring=" + qp.sendRingBlocks() + " blocks=" + blocks);
        }
        qp.init();
        ChainCq sendCq = ChainCq.of(name + ".cq", send);
        ChainCq receiveCq = ChainCq.of(name + ".rcq", receive);
        ChainQueue queue = managed
                ? ChainQueue.managed(name, qp, qp.registerSendRing(pd, ALL), sendCq, receiveCq)
                : ChainQueue.unmanaged(name, qp, sendCq, receiveCq);
        return queue.receives(receives, managedReceive);
    }

    /** A receive queue whose messages trigger programs, and who sends them: of another domain, not cross-channel. */
    public record Trigger(ChainQueue queue, CompletionQueue received, QueuePair client, MemoryRegion message) {

        /** Takes the completions of the receives, so that others can be posted. */
        public void reap() {
            WorkCompletion wc = new WorkCompletion();
            while (received.poll(wc)) {
                if (!wc.succeeded()) {
                    throw new AssertionError("trigger: " + wc);
                }
            }
        }

        public void send(long word) {
            send(ByteBuffer.allocate(8).putLong(word).array());
        }

        /** Sends at most 64 bytes, from the beginning of the message's memory. */
        public void send(byte[] bytes) {
            message.buffer(0, bytes.length).put(0, bytes);
            SendRequest send = SendRequest.send(1, Sge.of(message, 0, bytes.length)).inline();
            if (client.prepareSend(send).execute() != 1) {
                throw new AssertionError("send queue is full");
            }
        }
    }

    public Trigger trigger(String name, boolean managedReceive, int receives) {
        return trigger(name, 1, managedReceive, receives);
    }

    public Trigger trigger(String name, int blocks, boolean managedReceive, int receives) {
        ChainQueue queue = queueOf(name, blocks, true, managedReceive, receives);
        ProtectionDomain clients = device.allocatePd();
        CompletionQueue cq = device.createCq(CompletionQueueAttributes.ofDepth(64));
        QueuePair client = clients.createQp(new QueuePairAttributes(cq, cq).depth(1024, 1).inline(64));
        client.init();
        client.connect(queue.qp().endpoint());
        queue.qp().connect(client.endpoint());
        return new Trigger(queue, lastReceiveCq, client, clients.allocate(256, ALL));
    }

    /** Takes a piece of the data memory. */
    public Place place(String name, int length, int alignment) {
        used = (used + alignment - 1) / alignment * alignment;
        Place place = Place.of(data, used, length, name);
        used += length;
        return place;
    }

    public Place word(String name, long value) {
        Place place = place(name, 8, 8);
        put(place, value);
        return place;
    }

    public int at(Place place) {
        return (int) (place.address() - data.address());
    }

    public long get(Place word) {
        return bytes.getLong(at(word));
    }

    public void put(Place word, long value) {
        bytes.putLong(at(word), value);
    }

    /** Loads and starts a program, and polls it on until nothing is executed any more. */
    public void run(Program program) {
        program.load();
        kick(program);
    }

    public void kick(Program program) {
        program.kick(master);
        settle();
    }

    /** Polls until nothing is executed any more. */
    public void settle() {
        long before;
        do {
            before = chains.executed();
            while (masterCq.poll(wc)) {
                if (!wc.succeeded()) {
                    throw new AssertionError("kick: " + wc);
                }
            }
        } while (chains.executed() != before);
    }

    public void settleOnce() {
        masterCq.poll(wc);
    }

    @Override
    public void close() {
        device.close();
    }
}
