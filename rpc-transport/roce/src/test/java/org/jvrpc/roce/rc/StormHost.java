package org.jvrpc.roce.rc;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.jvrpc.roce.rc.SendWork.Operation;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.testing.fuzz.FuzzCheck;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.WcStatus;

/**
 * Queues and memory of one QP that hold its transport to what it may do: bytes go where a key, a receive or a WR has
 * room for them, each once and in order; WRs end once, in order; a request is executed with the PSN that is expected,
 * and no PSN twice.
 */
final class StormHost implements SendQueue, ReceiveQueue, RemoteMemory, PacketSink {

    static final int MTU = 256;
    static final int RKEY = 0x1234;
    /** What the key gives. */
    static final int OPEN_FROM = 1024;
    static final int OPEN_TO = 3072;
    static final int LONGEST = 3 * MTU;
    private static final int RECEIVE_BYTES = 2 * MTU;
    private static final int WRS = 64;
    private static final int READS = 8;

    final ByteBuffer buffer = ByteBuffer.allocate(MTU + 64);
    private final SplittableRandom random;
    private final Operation[] operations = new Operation[WRS];
    private final int[] lengths = new int[WRS];
    private final long[] came = new long[WRS];
    private final long[] readFrom = new long[READS];
    private final long[] readTo = new long[READS];
    private int reads;
    private long writeAt;
    private long writeEnd;
    private long atomicAt = -1;
    private boolean atHand;
    private long placed;
    private boolean executed;
    /** What the responder expects, and the PSN of the packet that it has. */
    int expected;
    int psn;
    int receives;
    int arrived;
    int posted;
    int fetched;
    int ended;
    int sent;
    boolean failed;

    StormHost(SplittableRandom random) {
        this.random = random;
        receives = random.nextInt(8);
    }

    void post() {
        if (posted < WRS) {
            Operation[] all = Operation.values();
            operations[posted] = all[random.nextInt(all.length)];
            lengths[posted] = operations[posted].isAtomic() ? Long.BYTES : random.nextInt(LONGEST + 1);
            posted++;
        }
    }

    Operation operation(int wr) {
        return operations[wr];
    }

    int length(int wr) {
        return lengths[wr];
    }

    /** Returns how much of a READ came. */
    long came(int wr) {
        return came[wr];
    }

    /** A packet is about to be received. */
    void begin(int newPsn, int newExpected) {
        psn = newPsn;
        expected = newExpected;
        executed = false;
        sent = 0;
    }

    private void execute() {
        FuzzCheck.that(psn == expected && !executed, "psn is executed, and expected is another or it was before");
        executed = true;
    }

    // ---- packets

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public ByteBuffer buffer() {
        return buffer;
    }

    @Override
    public int offset() {
        return 0;
    }

    @Override
    public void send(int length) {
        FuzzCheck.that(length % 4 == 0 && length >= Opcode.headerBytes(Bth.opcode(buffer, 0)) && length <= MTU + 60,
                "length of a packet that is sent");
        sent++;
    }

    // ---- work

    @Override
    public boolean fetch(SendWork work) {
        if (fetched == posted) {
            return false;
        }
        work.set(operations[fetched], lengths[fetched], fetched).flags(random.nextInt(8) == 0, false).word(7)
                .remote(OPEN_FROM, RKEY).operands(1, 2);
        if (random.nextInt(256) == 0) {
            work.refuse(WcStatus.LOC_PROT_ERR);
        }
        fetched++;
        return true;
    }

    private int inside(SendWork work, long from, int length) {
        int wr = (int) work.cookie();
        FuzzCheck.that(wr >= ended && wr < fetched, "a WR that is not under way");
        FuzzCheck.that(from >= 0 && length > 0 && from + length <= lengths[wr], "bytes outside of a WR's");
        return wr;
    }

    @Override
    public WcStatus gather(SendWork work, long from, ByteBuffer packet, int at, int length) {
        inside(work, from, length);
        return random.nextInt(4096) == 0 ? WcStatus.LOC_PROT_ERR : WcStatus.SUCCESS;
    }

    @Override
    public WcStatus scatter(SendWork work, long from, ByteBuffer packet, int at, int length) {
        int wr = inside(work, from, length);
        FuzzCheck.that(operations[wr] == Operation.READ && wr == ended, "an answer of the oldest WR, which is a READ");
        FuzzCheck.that(from == came[wr] && at + length <= packet.capacity(), "an answer twice, or with a gap");
        came[wr] += length;
        return WcStatus.SUCCESS;
    }

    @Override
    public WcStatus store(SendWork work, long found) {
        int wr = inside(work, 0, Long.BYTES);
        FuzzCheck.that(operations[wr].isAtomic() && wr == ended && came[wr]++ == 0, "an atomic's answer twice");
        return WcStatus.SUCCESS;
    }

    @Override
    public void complete(SendWork work, WcStatus status) {
        FuzzCheck.that(work.cookie() == ended && ended < fetched, "a WR ends out of order, or twice");
        if (status == WcStatus.SUCCESS) {
            FuzzCheck.that(!failed, "success behind a failure");
            FuzzCheck.that(operations[ended] != Operation.READ || came[ended] == lengths[ended], "a READ in part");
            FuzzCheck.that(!operations[ended].isAtomic() || came[ended] == 1, "an atomic without an answer");
        }
        ended++;
    }

    // ---- receives

    @Override
    public boolean take() {
        if (!atHand && receives > 0) {
            receives--;
            atHand = true;
            placed = 0;
        }
        return atHand;
    }

    @Override
    public WcStatus place(long from, ByteBuffer packet, int at, int length, boolean last) {
        execute();
        FuzzCheck.that(atHand && from == placed && length >= 0 && at + length <= packet.capacity(),
                "bytes of a message twice, or with a gap");
        if (from + length > RECEIVE_BYTES) {
            return WcStatus.LOC_LEN_ERR;
        }
        placed += length;
        return WcStatus.SUCCESS;
    }

    @Override
    public boolean complete(Arrival kind, long length, int word) {
        FuzzCheck.that(atHand && psn == expected, "a message is completed twice");
        FuzzCheck.that(kind == Arrival.WRITE_IMM || length == placed, "length of a message");
        atHand = false;
        arrived++;
        return random.nextInt(1024) != 0;
    }

    @Override
    public void fail(WcStatus status) {
        FuzzCheck.that(atHand, "a receive fails that is not at hand");
        atHand = false;
    }

    @Override
    public void failed() {
        failed = true;
    }

    // ---- memory

    @Override
    public boolean allows(int rkey, long address, long length, int access) {
        if (rkey != RKEY || length < 0 || address < OPEN_FROM || address > OPEN_TO || length > OPEN_TO - address) {
            return false;
        }
        if (access == Access.REMOTE_WRITE) {
            writeAt = address;
            writeEnd = address + length;
        } else if (access == Access.REMOTE_READ) {
            readFrom[reads % READS] = address;
            readTo[reads++ % READS] = address + length;
        } else {
            FuzzCheck.that(access == Access.REMOTE_ATOMIC && length == Long.BYTES, "what a key is asked for");
            atomicAt = address;
        }
        return true;
    }

    @Override
    public boolean write(int rkey, long address, ByteBuffer packet, int at, int length) {
        execute();
        FuzzCheck.that(rkey == RKEY && address == writeAt && length > 0 && length <= writeEnd - address
                && at + length <= packet.capacity(), "bytes are written that were not allowed, or twice");
        writeAt += length;
        return random.nextInt(4096) != 0;
    }

    @Override
    public boolean read(int rkey, long address, ByteBuffer packet, int at, int length) {
        boolean inside = false;
        for (int i = 0; i < READS; i++) {
            inside |= address >= readFrom[i] && address + length <= readTo[i];
        }
        FuzzCheck.that(rkey == RKEY && inside && length > 0, "bytes are read that were not allowed");
        return random.nextInt(4096) != 0;
    }

    private void atomic(int rkey, long address) {
        execute();
        FuzzCheck.that(rkey == RKEY && address == atomicAt && (address & 7) == 0, "an atomic that was not allowed");
        atomicAt = -1;
    }

    @Override
    public long compareAndSwap(int rkey, long address, long compare, long swap) {
        atomic(rkey, address);
        return compare;
    }

    @Override
    public long fetchAndAdd(int rkey, long address, long add) {
        atomic(rkey, address);
        return add;
    }

    @Override
    public boolean invalidate(int rkey) {
        FuzzCheck.that(psn == expected, "an invalidation out of sequence");
        return rkey == RKEY;
    }
}
