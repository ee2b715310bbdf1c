package org.jvrpc.router.lane;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.jvrpc.router.RemoteConnection;
import org.jvrpc.router.RemoteWork;
import org.jvrpc.router.peer.Peer;
import org.jvrpc.softrnic.queue.GatherList;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WorkCompletion;

/** One end of lanes whose other end takes all and says nothing, with one connection. One thread. */
final class LaneRig implements LaneSet.Strays, AutoCloseable {

    static final int OWN = 7;
    static final int PEER = 70;
    static final long EPOCH = 0x123456789abcdefL;
    /** Of the memory for messages: what a lane keeps until the next message tells of it. */
    private static final int KEPT = 2 * 8;

    final ByteBuffer message = ByteBuffer.allocateDirect(Slots.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    final Pair pair = new Pair(new Peer("west", 1, "", true), null);
    final LaneSet lanes;
    Watched local;
    RemoteQp qp;
    int strays;
    private final Device device = Devices.open("roce://127.0.0.1:1");
    private final Device otherDevice = Devices.open("roce://127.0.0.2:1");
    private final EventChannel events = device.createChannel();
    private final Datagrams datagrams = new Datagrams();
    private final ProtectionDomain pd = otherDevice.allocatePd();
    private final CompletionQueue cq = otherDevice.createCq(CompletionQueueAttributes.ofDepth(4096));
    private final MemoryRegion region = pd.allocate(Slots.BYTES, Access.LOCAL_WRITE);
    private final PostReceive[] receives = new PostReceive[LaneSet.LANES];
    private final WorkCompletion wc = new WorkCompletion();

    /** A message of the tenant's that goes out, so that there is something to answer. */
    record Work(int opcode, GatherList data, long total) implements RemoteWork {

        @Override
        public boolean isSignalled() {
            return true;
        }

        @Override
        public int immediate() {
            return 0;
        }

        @Override
        public long remoteAddress() {
            return 0;
        }

        @Override
        public int rkey() {
            return 0;
        }

        @Override
        public long operand(int i) {
            return 0;
        }
    }

    LaneRig() {
        lanes = new LaneSet(pair, device, events, this, null, new Adopted(device));
        for (int i = 0; i < LaneSet.LANES; i++) {
            QueuePair other = pd.createQp(new QueuePairAttributes(cq, cq).depth(16, 256));
            other.init();
            lanes.number(i).qp().connect(other.endpoint());
            other.connect(lanes.number(i).qp().endpoint());
            lanes.number(i).connected(null);
            receives[i] = other.prepareReceive(ReceiveRequest.of(i, Sge.of(region, 0, Slots.BYTES)));
            for (int k = 0; k < 256; k++) {
                receives[i].execute();
            }
        }
        pair.up(lanes);
        begin(new Random(1));
    }

    @Override
    public RemoteQp find(int number, int peer, long epoch) {
        return number == OWN && peer == PEER && epoch == EPOCH ? qp : null;
    }

    @Override
    public void stray() {
        strays++;
    }

    @Override
    public boolean datagram(Pair from, ByteBuffer m, int at, int length) {
        return datagrams.take(from, m, at, length);
    }

    /** Begins the connection, whose tenant answers by chance. */
    void begin(Random random) {
        local = new Watched(random);
        qp = new RemoteQp(new RemoteConnection("west", 1, OWN, PEER, EPOCH), pair, local, new Holder());
    }

    /** Hands the message over as one that came. @return what is wrong with its sender; null for nothing */
    String take(int bytes) {
        return lanes.take(lanes.number(0), message, 0, bytes, System.nanoTime());
    }

    void header(int kind, int sequence) {
        LaneHeader.begin(message, 0, kind, OWN, PEER, EPOCH, sequence);
    }

    void data(int opcode, int sequence, int bytes, int total, int skip) {
        header(LaneHeader.DATA, sequence);
        LaneHeader.opcode(message, 0, opcode);
        LaneHeader.length(message, 0, bytes);
        LaneHeader.part(message, 0, total, skip);
    }

    /** The tenant sends something. */
    void send(int opcode, int bytes) {
        qp.send(new Work(opcode, new GatherList(), bytes), 0, bytes);
    }

    /** Has all that was said leave, but for what the next message tells of. */
    void drain() {
        Waits.until("what was said to leave", () -> {
            turn();
            return lanes.slots().free() > Slots.COUNT - KEPT;
        });
    }

    void turn() {
        assertTrue(lanes.poll(System.nanoTime()) >= 0, "the lane failed");
        while (cq.poll(wc)) {
            receives[(int) wc.wrId()].execute();
        }
    }

    @Override
    public void close() {
        lanes.close();
        device.close();
        otherDevice.close();
    }
}
