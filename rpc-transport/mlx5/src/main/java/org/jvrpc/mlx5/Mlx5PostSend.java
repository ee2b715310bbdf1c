package org.jvrpc.mlx5;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jvrpc.verbs.Destination;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;

/**
 * Send WQEs kept in the form that they have in the ring; {@link #execute} patches the index in, copies, and rings the
 * doorbell. One thread.
 */
final class Mlx5PostSend implements PostSend {

    private static final int WORDS_PER_BLOCK = Wqe.BLOCK / 8;
    private static final int WORDS_PER_SEGMENT = Wqe.SEGMENT / 8;
    private static final int FLAGS_SHIFT = 8 * (7 - (Wqe.FM_CE_SE - 8));
    private static final long LOW = 0xffffffffL;

    private final Mlx5QueuePair qp;
    private final SendQueue queue;
    private final LocalMemory memory;
    private final SendRequest.Opcode[] opcodes;
    private final int[] codes;
    private final long[] wrIds;
    private final int[] starts;
    private final int[] segments;
    /** Where the first data segment of each WQE begins. */
    private final int[] data;
    /** The WQEs as the big-endian longs that go to the ring: whole words, so that no load waits for half a store. */
    private final long[] words;
    /** How many SGEs of each request have no bytes; their segments are left out of the WQE. -1 for inline requests. */
    private final int[] empties;
    private final long[] compact;
    private final byte[] scratch;
    private final Sges[] inline;
    private final long[][] bases;
    private final boolean pushable;
    /** True for a SEND of two SGEs, which {@link #push} may be able to execute. */
    private final boolean headed;
    /** Of the SGEs as they are; null when it is to be made. */
    private Push prepared;
    private boolean refused;
    private boolean freed;

    /** The SGEs of an inline request, which are looked at by each execution. */
    private record Sges(long[] addresses, int[] lengths, int[] lkeys) {
    }

    Mlx5PostSend(Mlx5QueuePair qp, SendQueue queue, LocalMemory memory, SendRequest[] requests) {
        this.qp = qp;
        this.queue = queue;
        this.memory = memory;
        int count = requests.length;
        this.opcodes = new SendRequest.Opcode[count];
        this.codes = new int[count];
        this.wrIds = new long[count];
        this.starts = new int[count];
        this.segments = new int[count];
        this.data = new int[count];
        this.empties = new int[count];
        this.inline = new Sges[count];
        this.bases = new long[count][];
        int count8 = 0;
        int blocks = 0;
        int longest = 0;
        for (int wr = 0; wr < count; wr++) {
            starts[wr] = count8;
            segments[wr] = measure(requests[wr]);
            longest = Math.max(longest, Wqe.blocks(segments[wr]));
            count8 += Wqe.blocks(segments[wr]) * WORDS_PER_BLOCK;
            blocks += Wqe.blocks(segments[wr]);
        }
        if (count == 0 || blocks > queue.entries()) {
            throw new VerbsException("post_send", "requests=" + count + " blocks=" + blocks + " queue blocks="
                    + queue.entries());
        }
        this.words = new long[count8];
        this.compact = new long[longest * WORDS_PER_BLOCK];
        this.scratch = new byte[(qp.attributes().maxInline() + 4 + 15 & -16) + 8];
        for (int wr = 0; wr < count; wr++) {
            encode(wr, requests[wr]);
        }
        this.pushable = count == 1 && !qp.isDatagram() && empties[0] >= 0 && codes[0] == Wqe.SEND
                && segments[0] <= Wqe.BLOCK / Wqe.SEGMENT;
        this.headed = pushable && bases[0].length == 2;
    }

    private int measure(SendRequest request) {
        QueuePairAttributes attributes = qp.attributes();
        if (request.sges().size() > attributes.maxSendSge()) {
            throw new VerbsException("post_send", "sges=" + request.sges().size() + " maxSendSge="
                    + attributes.maxSendSge());
        }
        checkService(request);
        if (request.opcode().isAtomic() && !qp.control().hasAtomics()) {
            throw new VerbsException("post_send", "device has no atomics whose answers are in this host's byte order:"
                    + " opcode=" + request.opcode() + " qp number=" + qp.number());
        }
        int before = dataOffset(Wqe.opcodeOf(request.opcode())) / Wqe.SEGMENT;
        if (!request.has(SendRequest.INLINE)) {
            return before + request.sges().size();
        }
        return before + (4 + attributes.maxInline() + 15 >> 4);
    }

    private void checkService(SendRequest request) {
        if (qp.isDatagram() == (request.destination() == null)) {
            throw new VerbsException("post_send", "a datagram QP sends datagrams, which have a destination, and others"
                    + " do not: qp number=" + qp.number() + " opcode=" + request.opcode() + " destination="
                    + request.destination());
        }
    }

    private int dataOffset(int opcode) {
        return qp.isDatagram() ? Wqe.DATAGRAM_DATA : Wqe.dataOffset(opcode);
    }

    private void encode(int wr, SendRequest request) {
        opcodes[wr] = request.opcode();
        codes[wr] = Wqe.opcodeOf(request.opcode());
        wrIds[wr] = request.wrId();
        int count = request.sges().size();
        bases[wr] = new long[count];
        data[wr] = starts[wr] + dataOffset(codes[wr]) / 8;
        words[starts[wr]] = (long) codes[wr] << 32 | segments[wr];
        words[starts[wr] + 1] = (long) ((request.has(SendRequest.SIGNALLED) ? Wqe.CE_ALWAYS : 0)
                | (request.has(SendRequest.SOLICITED) ? Wqe.SOLICITED : 0)
                | (request.has(SendRequest.FENCE) ? Wqe.FENCE : 0)) << FLAGS_SHIFT;
        if (request.opcode().hasImmediate()) {
            immediate(wr, request.immediate());
        }
        if (request.opcode().isOneSided()) {
            remoteAddress(wr, request.remoteAddress()).rkey(wr, request.rkey());
        }
        if (request.destination() != null) {
            destination(wr, request.destination());
        }
        if (request.opcode().isAtomic()) {
            operands(wr, request.compare(), request.swapOrAdd());
        }
        if (request.has(SendRequest.INLINE)) {
            inline[wr] = new Sges(new long[count], new int[count], new int[count]);
            empties[wr] = -1;
            checkInline(request);
        } else {
            empties[wr] = count; // until the lengths are set
        }
        for (int sge = 0; sge < count; sge++) {
            Sge piece = request.sges().get(sge);
            address(wr, sge, piece.address()).length(wr, sge, piece.length()).lkey(wr, sge, piece.lkey());
        }
    }

    private void checkInline(SendRequest request) {
        long total = request.sges().stream().mapToLong(Sge::length).sum();
        if (total > qp.attributes().maxInline()) {
            throw new VerbsException("post_send", "inline bytes=" + total + " maxInline="
                    + qp.attributes().maxInline());
        }
    }

    static int checkLength(int length) {
        if (length < 0) {
            throw new IllegalArgumentException("length must not be negative, length=" + length);
        }
        return length;
    }

    private int data(int wr, int sge) {
        Objects.checkIndex(sge, bases[wr].length);
        return data[wr] + sge * WORDS_PER_SEGMENT;
    }

    private void high(int word, int value) {
        words[word] = (long) value << 32 | words[word] & LOW;
    }

    private void low(int word, int value) {
        words[word] = words[word] & ~LOW | value & LOW;
    }

    private void require(boolean fits, int wr, String what) {
        if (!fits) {
            throw new IllegalStateException("opcode=" + opcodes[wr] + " has no " + what);
        }
    }

    @Override
    public PostSend wrId(int wr, long wrId) {
        wrIds[wr] = wrId;
        return this;
    }

    @Override
    public PostSend signalled(int wr, boolean signalled) {
        long bit = (long) Wqe.CE_ALWAYS << FLAGS_SHIFT;
        int word = starts[wr] + 1;
        words[word] = signalled ? words[word] | bit : words[word] & ~bit;
        return this;
    }

    @Override
    public PostSend immediate(int wr, int immediate) {
        require(opcodes[wr].hasImmediate(), wr, "immediate data");
        low(starts[wr] + 1, immediate);
        return this;
    }

    @Override
    public PostSend address(int wr, int sge, long address) {
        bases[wr][sge] = address;
        return offset(wr, sge, 0);
    }

    @Override
    public PostSend offset(int wr, int sge, long offset) {
        long address = bases[wr][sge] + offset;
        if (inline[wr] != null) {
            inline[wr].addresses[sge] = address;
        } else {
            words[data(wr, sge) + 1] = address;
            prepared = null;
        }
        return this;
    }

    @Override
    public PostSend length(int wr, int sge, int length) {
        if (inline[wr] != null) {
            inline[wr].lengths[sge] = checkLength(length);
        } else {
            int word = data(wr, sge);
            int old = (int) (words[word] >>> 32);
            if (old != length) {
                empties[wr] += (checkLength(length) == 0 ? 1 : 0) - (old == 0 ? 1 : 0);
                high(word, length);
                if (sge == 0) {
                    prepared = null;
                }
            }
        }
        return this;
    }

    @Override
    public PostSend lkey(int wr, int sge, int lkey) {
        if (inline[wr] != null) {
            inline[wr].lkeys[sge] = lkey;
        } else {
            low(data(wr, sge), lkey);
            prepared = null;
        }
        return this;
    }

    @Override
    public PostSend remoteAddress(int wr, long address) {
        require(opcodes[wr].isOneSided(), wr, "remote address");
        words[starts[wr] + Wqe.REMOTE / 8] = address;
        return this;
    }

    @Override
    public PostSend rkey(int wr, int rkey) {
        require(opcodes[wr].isOneSided(), wr, "rkey");
        high(starts[wr] + Wqe.REMOTE / 8 + 1, rkey);
        return this;
    }

    @Override
    public PostSend operands(int wr, long compare, long swapOrAdd) {
        require(opcodes[wr].isAtomic(), wr, "operands");
        words[starts[wr] + Wqe.ATOMIC / 8] = swapOrAdd;
        words[starts[wr] + Wqe.ATOMIC / 8 + 1] = compare;
        return this;
    }

    @Override
    public PostSend destination(int wr, Destination destination) {
        require(qp.isDatagram(), wr, "destination on an RC QP");
        if (!(destination.handle() instanceof Mlx5AddressHandle handle)) {
            throw new VerbsException("post_send", "address handle is of another device: " + destination);
        }
        AddressVector.write(
                words, starts[wr] + Wqe.VECTOR / 8, handle.vector(), destination.qpNumber(), destination.qkey());
        return this;
    }

    @Override
    public boolean push(long first, long second, int length) {
        checkExecutable();
        return words[1] == 0 && (prepared != null || prepare()) && queue.push(prepared, first, second, length);
    }

    @Override
    public boolean push(long first, long second, int head, ByteBuffer rest, int at, int length) {
        checkExecutable();
        return words[1] == 0 && (prepared != null || prepare())
                && queue.push(prepared, first, second, head, rest, at, length);
    }

    private boolean prepare() {
        if (refused || !headed || words[2] >>> 32 != HEADER_BYTES) {
            return false;
        }
        prepared = queue.prepare(Arrays.copyOfRange(words, 2, 6));
        refused = prepared == null;
        return !refused;
    }

    @Override
    public boolean read(ByteBuffer into, int at, int length) {
        checkExecutable();
        return codes.length == 1 && codes[0] == Wqe.RDMA_READ
                && queue.read(words[Wqe.REMOTE / 8], (int) (words[Wqe.REMOTE / 8 + 1] >>> 32), into, at, length);
    }

    private void checkExecutable() {
        if (freed || !qp.maySend() || qp.isClosed()) {
            throw new IllegalStateException(
                    "post_send: freed=" + freed + " qp=" + qp.number() + " state=" + qp.state());
        }
    }

    @Override
    public int execute() {
        checkExecutable();
        return pushable && queue.push(words, wrIds[0]) ? 1 : postAll();
    }

    private int postAll() {
        int wr = 0;
        while (wr < codes.length && post(wr)) {
            wr++;
        }
        if (wr > 0) {
            queue.ring();
        }
        return wr;
    }

    private boolean post(int wr) {
        if (empties[wr] > 0) {
            return post(wr, compact, 0, compact(wr));
        }
        if (empties[wr] < 0) {
            copyInline(wr);
        }
        return post(wr, words, starts[wr], segments[wr]);
    }

    private boolean post(int wr, long[] from, int at, int count) {
        int blocks = Wqe.blocks(count);
        if (!queue.hasRoom(blocks)) {
            return false;
        }
        from[at] = (long) Wqe.opmodIndexOpcode(0, queue.head(), codes[wr]) << 32 | (long) qp.number() << 8 | count;
        queue.write(from, at, count * WORDS_PER_SEGMENT, blocks, wrIds[wr]);
        return true;
    }

    /** Copies a WQE without its data segments of no bytes, which a device takes for 2 GiB; returns its segments. */
    private int compact(int wr) {
        int start = starts[wr];
        int count = data[wr] - start;
        for (int i = 0; i < count; i++) {
            compact[i] = words[start + i];
        }
        int end = start + segments[wr] * WORDS_PER_SEGMENT;
        for (int data = start + count; data < end; data += WORDS_PER_SEGMENT) {
            if (words[data] >>> 32 != 0) {
                compact[count] = words[data];
                compact[count + 1] = words[data + 1];
                count += WORDS_PER_SEGMENT;
            }
        }
        return count / WORDS_PER_SEGMENT;
    }

    private void copyInline(int wr) {
        Sges sges = inline[wr];
        int total = 0;
        for (int sge = 0; sge < sges.lengths.length; sge++) {
            int length = sges.lengths[sge];
            if (length > qp.attributes().maxInline() - total) { // a sum may overflow
                throw new VerbsException("post_send", "inline bytes=" + ((long) total + length) + " maxInline="
                        + qp.attributes().maxInline());
            }
            if (length > 0 && !memory.read(sges.addresses[sge], sges.lkeys[sge], scratch, 4 + total, length)) {
                throw new VerbsException("post_send", "inline data outside registered memory: address=0x"
                        + Long.toHexString(sges.addresses[sge]) + " length=" + length);
            }
            total += length;
        }
        BigEndian.putInt(scratch, 0, Wqe.INLINE | total);
        int count = total == 0 ? 0 : 4 + total + Wqe.SEGMENT - 1 >> 4; // no bytes, no segment
        int start = data[wr];
        for (int i = 0; i < count * WORDS_PER_SEGMENT; i++) {
            words[start + i] = BigEndian.getLong(scratch, 8 * i);
        }
        segments[wr] = (start - starts[wr]) / WORDS_PER_SEGMENT + count;
    }

    @Override
    public int size() {
        return codes.length;
    }

    @Override
    public boolean valid() {
        return !freed && !qp.isClosed();
    }

    @Override
    public void free() {
        freed = true;
    }
}
