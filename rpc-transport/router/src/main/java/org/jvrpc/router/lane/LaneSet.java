package org.jvrpc.router.lane;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.router.audit.SparseLog;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/**
 * The lanes to another router, with the memory that messages to it lie in. All of them end with any of them. Made by
 * who waits for connections; the worker's once it is complete.
 */
final class LaneSet {

    static final int LANES = 4;
    /** The most bytes of one message, without its header and what a sealed one has behind. */
    static final int MOST_DATA = Slots.BYTES - LaneHeader.BYTES - 64;
    /** How long a peer waits for word of what came, at the most, unless it asks. */
    static final long ACK_NS = 50_000;
    /** Slots that answers have for themselves. */
    private static final int FOR_ANSWERS = 128;
    /** An answer has one, and another while it is sealed; its sender may be told besides what came. */
    private static final int FOR_ONE = 4;
    private static final int TURN = 64;
    private static final long BUSY_NS = 1_000_000;
    private static final long LOOK_NS = 500_000_000;
    private static final long A_SEND = 1L << 32;
    private static final SparseLog LOG = SparseLog.of(LaneSet.class);

    private final Pair pair;
    private final Strays strays;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final Slots slots;
    private final Lane[] lanes = new Lane[LANES];
    /** Null where all goes by copies. */
    private final Bulk bulk;
    /** Null where what goes between routers is not sealed. */
    private final Seal[] seals;
    private final Seal[] opens;
    /** What came sealed, until it is proven. */
    private final ByteBuffer opened;
    private final WorkCompletion wc = new WorkCompletion();
    private final List<Requests> owing = new ArrayList<>();
    private final List<RemoteQp> backing = new ArrayList<>();
    /** Messages that came and are not looked at for want of slots for the answers. */
    private final int[] held = new int[LANES * Lane.RECEIVES];
    private final int[] heldBytes = new int[LANES * Lane.RECEIVES];
    private int heldFrom;
    private int heldTo;
    private long busyUntilNs;
    /** Messages whose peer has not said that they came. */
    private int awaited;
    private long polledNs = System.nanoTime();
    private long lookedNs = polledNs;
    private String fault;

    /** What messages are looked up by, and what there is to count. */
    interface Strays {

        /** Returns the connection that a message is of; null for none. */
        RemoteQp find(int number, int peer, long epoch);

        /** A message of no connection came. */
        void stray();

        /** Takes a datagram; false when it is of no way. */
        default boolean datagram(Pair from, ByteBuffer m, int at, int length) {
            return false;
        }
    }

    /**
     * Lanes that are not connected.
     *
     * @param key for sealing; null: what goes by is not sealed
     * @param adopted what long messages are moved in without copies; null for none
     */
    LaneSet(Pair pair, Device device, EventChannel events, Strays strays, byte[] key, Adopted adopted) {
        this.pair = pair;
        this.strays = strays;
        this.pd = device.allocatePd();
        this.cq = device.createCq(new CompletionQueueAttributes(
                LANES * (Lane.SENDS + Lane.RECEIVES) + Bulk.completions(), 64, false, false, events));
        this.slots = new Slots(pd);
        for (int i = 0; i < LANES; i++) {
            lanes[i] = new Lane(i, pd, cq, slots);
        }
        this.bulk = adopted == null ? null : new Bulk(adopted, pd, cq);
        boolean dials = pair.peer().dials();
        this.seals = key == null ? null : seals(key, dials, true);
        this.opens = key == null ? null : seals(key, !dials, false);
        this.opened = key == null ? null : ByteBuffer.allocateDirect(Slots.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static Seal[] seals(byte[] key, boolean dialled, boolean seals) {
        Seal[] made = new Seal[LANES];
        for (int i = 0; i < LANES; i++) {
            made[i] = new Seal(key, i, dialled, seals);
        }
        return made;
    }

    Pair pair() {
        return pair;
    }

    /** Returns the one that a connection's messages go by. */
    Lane lane(long epoch) {
        return lanes[(int) epoch & LANES - 1];
    }

    Lane number(int i) {
        return lanes[i];
    }

    /** Returns null where all goes by copies. */
    Bulk bulk() {
        return bulk;
    }

    /** Returns how many QPs it has. */
    int qps() {
        return bulk == null ? LANES : LANES + Bulk.QPS;
    }

    /** Returns the QP of a lane, or one behind those. */
    QueuePair qp(int i) {
        return i < LANES ? lanes[i].qp() : bulk.qp(i - LANES);
    }

    void connected(int i, Connection made) {
        if (i < LANES) {
            lanes[i].connected(made);
        } else {
            bulk.connected(i - LANES, made);
        }
    }

    Slots slots() {
        return slots;
    }

    /** Tells whether a tenant may hold one more slot: the more it has, the more must be left for others. */
    boolean mayHold(Holder holder) {
        return holder.held() < slots.free() - FOR_ANSWERS;
    }

    /** Notes that so many more messages have to be told of by the peer. */
    void await(int more) {
        awaited += more;
    }

    /** Returns when it was polled last: the time of now, for those who need not know it better. */
    long polledNs() {
        return polledNs;
    }

    /** Sends what lies in a slot, one user of which this is. */
    void post(Lane lane, int slot, int bytes) {
        if (seals == null) {
            lane.post(slot, bytes);
        } else {
            int sealed = slots.take(); // there is one: see mayAnswer
            ByteBuffer memory = slots.memory();
            int length = seals[lane.number()].seal(memory, Slots.at(slot), bytes, memory, Slots.at(sealed));
            slots.give(slot);
            lane.post(sealed, length);
        }
        if (lane.isOver()) {
            wrong("lane=" + lane.number() + " takes no more");
        }
    }

    private void wrong(String what) {
        fault = fault == null ? what : fault;
    }

    void owe(Requests requests) {
        owing.add(requests);
    }

    void back(RemoteQp qp) {
        backing.add(qp);
    }

    /** Takes what came, and sends what is due. Returns how much there was; less than 0 when they have to end. */
    int poll(long nowNs) {
        int count = 0;
        polledNs = nowNs;
        if (bulk != null) {
            bulk.poll(nowNs);
        }
        while (count < TURN && fault == null && takeHeld(nowNs)) {
            count++;
        }
        for (boolean more = cq.poll(wc); more; more = count < TURN && fault == null && cq.hasMore() && cq.poll(wc)) {
            count++; // a poll in vain looks for packets, which is not free
            completed(nowNs);
        }
        while (bulk != null && mayAnswer() && bulk.tell()) {
            count++;
        }
        if (nowNs - lookedNs > LOOK_NS) {
            lookedNs = nowNs;
            count += pair.endSilent(nowNs) + (bulk == null ? 0 : bulk.endLate(nowNs));
        }
        if (fault != null) {
            LOG.warn(pair.peer().host(), "lanes to host={} end: {}", pair.peer().host(), fault);
            return -1;
        }
        if (count > 0) {
            busyUntilNs = nowNs + BUSY_NS;
            pair.wakeWaiting();
        }
        for (int i = backing.size() - 1; i >= 0; i--) {
            RemoteQp qp = backing.get(i);
            if (qp.againNs() - nowNs <= 0 && qp.resend()) {
                remove(backing, i);
                count++;
            }
        }
        for (int i = owing.size() - 1; i >= 0; i--) {
            if (owing.get(i).sayWhatCame(nowNs)) {
                remove(owing, i);
            }
        }
        return count;
    }

    private static <T> void remove(List<T> list, int i) {
        T last = list.remove(list.size() - 1);
        if (i < list.size()) {
            list.set(i, last);
        }
    }

    /** Tells whether there is room for an answer to whatever comes. */
    boolean mayAnswer() {
        boolean may = slots.free() >= FOR_ONE;
        for (int i = 0; i < LANES; i++) {
            may &= lanes[i].mayAnswer();
        }
        return may;
    }

    private void completed(long nowNs) {
        Lane lane = laneOf(wc.qpNumber());
        if (lane == null) {
            if (bulk != null) {
                bulk.completed(wc);
            }
            return;
        }
        if ((wc.wrId() & A_SEND) != 0) {
            lane.sent();
        }
        if (!wc.succeeded()) {
            wrong("lane=" + lane.number() + " has failed, status=" + wc.status());
        } else if ((wc.wrId() & A_SEND) == 0) {
            int receive = lane.number() * Lane.RECEIVES + (int) wc.wrId();
            if (heldFrom == heldTo && mayAnswer()) {
                came(receive, wc.byteLength(), nowNs);
            } else {
                held[heldTo % held.length] = receive;
                heldBytes[heldTo++ % held.length] = wc.byteLength();
            }
        }
    }

    private Lane laneOf(int qpNumber) {
        for (int i = 0; i < LANES; i++) {
            if (lanes[i].qp().number() == qpNumber) {
                return lanes[i];
            }
        }
        return null;
    }

    private boolean takeHeld(long nowNs) {
        if (heldFrom == heldTo || !mayAnswer()) {
            return false;
        }
        int i = heldFrom++ % held.length;
        came(held[i], heldBytes[i], nowNs);
        return true;
    }

    private void came(int receive, int bytes, long nowNs) {
        Lane lane = lanes[receive / Lane.RECEIVES];
        int i = receive % Lane.RECEIVES;
        try {
            if (opens == null) {
                wrong(take(lane, lane.memory(), Lane.at(i), bytes, nowNs));
            } else if (opens[lane.number()].open(lane.memory(), Lane.at(i), bytes, opened, 0)) {
                wrong(take(lane, opened, 0, bytes - Seal.TAG_BYTES, nowNs));
            } else {
                wrong("lane=" + lane.number() + " brought what its peer has not sealed: bytes=" + bytes);
            }
        } finally {
            lane.postReceive(i);
        }
    }

    /** Takes a message that may be anything. @return what is wrong with its sender; null for nothing */
    String take(Lane lane, ByteBuffer m, int at, int bytes, long nowNs) {
        int length = bytes < LaneHeader.BYTES ? -1 : LaneHeader.length(m, at);
        int kind = bytes < LaneHeader.BYTES ? 0 : LaneHeader.kind(m, at);
        if (length != bytes - LaneHeader.BYTES || length > MOST_DATA || !LaneHeader.isKind(kind)
                || kind == LaneHeader.DATAGRAM && !Datagrams.isOne(m, at, length)) {
            return "lane=" + lane.number() + " brought what is no message: bytes=" + bytes + " kind=" + kind;
        }
        if (kind == LaneHeader.DATAGRAM) {
            if (!strays.datagram(pair, m, at, length)) {
                strays.stray();
            }
            return null;
        }
        RemoteQp qp = strays.find(LaneHeader.destination(m, at), LaneHeader.source(m, at), LaneHeader.epoch(m, at));
        if (qp == null || qp.pair() != pair) {
            strays.stray();
            if (LaneHeader.isRequest(kind)) {
                refuse(lane, m, at);
            }
        } else if (!qp.take(m, at, length, nowNs)) {
            return "lane=" + lane.number() + " brought a message that its connection cannot have: kind=" + kind
                    + " sequence=" + LaneHeader.sequence(m, at) + " bytes=" + length;
        }
        return null;
    }

    /** Tells who sends to a connection that is not here, so that it does not wait. */
    private void refuse(Lane lane, ByteBuffer m, int at) {
        int slot = slots.take();
        LaneHeader.begin(slots.memory(), Slots.at(slot), LaneHeader.FAILED, LaneHeader.source(m, at),
                LaneHeader.destination(m, at), LaneHeader.epoch(m, at), LaneHeader.sequence(m, at));
        LaneHeader.opcode(slots.memory(), Slots.at(slot), WcStatus.RETRY_EXC_ERR.ordinal());
        post(lane, slot, LaneHeader.BYTES);
    }

    /** Something came so short ago that more is likely. */
    boolean isBusy(long nowNs) {
        return busyUntilNs - nowNs > 0;
    }

    long nextNs(long nowNs) {
        if (bulk != null && bulk.isBusy()) {
            return 0;
        }
        if (!owing.isEmpty() || !backing.isEmpty() || heldFrom != heldTo) {
            return 0;
        }
        return awaited == 0 ? Long.MAX_VALUE : LOOK_NS;
    }

    /** Has the channel told when something comes. */
    void arm() {
        cq.arm();
    }

    /** Returns false when the peer of one of them is gone. Any thread. */
    boolean isConnected() {
        for (Lane lane : lanes) {
            if (!lane.isConnected()) {
                return false;
            }
        }
        return true;
    }

    /** Frees all; may wait for the device. Whoever has it alone. */
    void close() {
        for (Lane lane : lanes) {
            lane.close();
        }
        if (bulk != null) {
            bulk.close();
        }
        slots.close();
        cq.close();
        pd.close();
    }
}
