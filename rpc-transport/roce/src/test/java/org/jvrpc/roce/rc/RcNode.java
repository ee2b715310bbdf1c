package org.jvrpc.roce.rc;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jvrpc.roce.rc.SendWork.Operation;
import org.jvrpc.roce.wire.Packet;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.WcStatus;

/** A host with one QP, in plain arrays: what it posted, and what became of it. */
class RcNode implements SendQueue, ReceiveQueue, RemoteMemory {

    /** The key of all memory. */
    static final int RKEY = 0x1234;

    /** A WR. */
    record Wr(Operation operation, int from, int length, long address, int rkey, int word, long compare,
            long swapOrAdd, boolean fenced) {

        static Wr send(int from, int length) {
            return new Wr(Operation.SEND, from, length, 0, 0, 0, 0, 0, false);
        }

        static Wr of(Operation operation, int from, int length, long address) {
            return new Wr(operation, from, length, address, RKEY, 99, 0, 0, false);
        }

        static Wr atomic(Operation operation, int to, long address, long compare, long swapOrAdd) {
            return new Wr(operation, to, Long.BYTES, address, RKEY, 0, compare, swapOrAdd, false);
        }
    }

    /** How a WR ended. */
    record Ended(int wr, WcStatus status) {
    }

    /** A message that arrived. */
    record Arrived(Arrival kind, int word, byte[] bytes) {
    }

    final ByteBuffer memory;
    final List<Wr> posted = new ArrayList<>();
    final List<Ended> ended = new ArrayList<>();
    final List<Arrived> arrived = new ArrayList<>();
    final List<WcStatus> failedReceives = new ArrayList<>();
    final List<Integer> invalidated = new ArrayList<>();
    final ArrayDeque<Integer> receives = new ArrayDeque<>();
    int rkey = RKEY;
    int access = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;
    WcStatus gathers = WcStatus.SUCCESS;
    WcStatus scatters = WcStatus.SUCCESS;
    boolean solicits;
    boolean signals = true;
    boolean hasCompletions = true;
    boolean failed;
    RcTransport transport;
    final Packet packet = new Packet();
    private int fetched;
    private byte[] atHand;

    RcNode(int bytes) {
        memory = ByteBuffer.allocate(bytes);
    }

    void post(Wr wr) {
        posted.add(wr);
    }

    /** Posts receives of a capacity. */
    void receive(int count, int capacity) {
        for (int i = 0; i < count; i++) {
            receives.add(capacity);
        }
    }

    @Override
    public boolean fetch(SendWork work) {
        if (fetched == posted.size()) {
            return false;
        }
        Wr wr = posted.get(fetched);
        work.set(wr.operation, wr.length, fetched++).flags(wr.fenced, solicits).unsignalled(!signals).word(wr.word)
                .remote(wr.address, wr.rkey).operands(wr.compare, wr.swapOrAdd);
        return true;
    }

    private Wr wr(SendWork work) {
        return posted.get((int) work.cookie());
    }

    @Override
    public WcStatus gather(SendWork work, long from, ByteBuffer packet, int at, int length) {
        if (gathers == WcStatus.SUCCESS) {
            packet.put(at, memory, wr(work).from + (int) from, length);
        }
        return gathers;
    }

    @Override
    public WcStatus scatter(SendWork work, long from, ByteBuffer packet, int at, int length) {
        memory.put(wr(work).from + (int) from, packet, at, length);
        return scatters;
    }

    @Override
    public WcStatus store(SendWork work, long found) {
        memory.putLong(wr(work).from, found);
        return WcStatus.SUCCESS;
    }

    @Override
    public void complete(SendWork work, WcStatus status) {
        ended.add(new Ended((int) work.cookie(), status));
    }

    @Override
    public boolean take() {
        if (atHand == null && !receives.isEmpty()) {
            atHand = new byte[receives.poll()];
        }
        return atHand != null;
    }

    @Override
    public WcStatus place(long from, ByteBuffer packet, int at, int length, boolean last) {
        if (from + length > atHand.length) {
            return WcStatus.LOC_LEN_ERR;
        }
        packet.get(at, atHand, (int) from, length);
        return WcStatus.SUCCESS;
    }

    @Override
    public boolean complete(Arrival kind, long length, int word) {
        if (!hasCompletions) {
            return false;
        }
        byte[] bytes = kind == Arrival.WRITE_IMM ? new byte[(int) length] : Arrays.copyOf(atHand, (int) length);
        arrived.add(new Arrived(kind, word, bytes));
        atHand = null;
        return true;
    }

    @Override
    public void fail(WcStatus status) {
        failedReceives.add(status);
        atHand = null;
    }

    @Override
    public void failed() {
        failed = true;
    }

    @Override
    public boolean allows(int key, long address, long length, int rights) {
        return key == rkey && (access & rights) == rights && address >= 0 && length >= 0
                && address + length <= memory.capacity();
    }

    @Override
    public boolean write(int key, long address, ByteBuffer packet, int at, int length) {
        if (!allows(key, address, length, Access.REMOTE_WRITE)) {
            return false;
        }
        memory.put((int) address, packet, at, length);
        return true;
    }

    @Override
    public boolean read(int key, long address, ByteBuffer packet, int at, int length) {
        if (!allows(key, address, length, Access.REMOTE_READ)) {
            return false;
        }
        packet.put(at, memory, (int) address, length);
        return true;
    }

    @Override
    public long compareAndSwap(int key, long address, long compare, long swap) {
        long found = memory.getLong((int) address);
        if (found == compare) {
            memory.putLong((int) address, swap);
        }
        return found;
    }

    @Override
    public long fetchAndAdd(int key, long address, long add) {
        long found = memory.getLong((int) address);
        memory.putLong((int) address, found + add);
        return found;
    }

    @Override
    public boolean invalidate(int key) {
        if (key != rkey) {
            return false;
        }
        invalidated.add(key);
        rkey = 0;
        return true;
    }
}
