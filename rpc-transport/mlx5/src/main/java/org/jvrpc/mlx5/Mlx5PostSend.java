package org.jvrpc.mlx5;

import java.util.Objects;
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

    private final Mlx5QueuePair qp;
    private final SendQueue queue;
    private final LocalMemory memory;
    private final SendRequest.Opcode[] opcodes;
    private final int[] codes;
    private final long[] wrIds;
    private final int[] starts;
    private final int[] segments;
    private final byte[] template;
    private final Sges[] inline;
    private final long[][] bases;
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
        this.inline = new Sges[count];
        this.bases = new long[count][];
        int bytes = 0;
        int blocks = 0;
        for (int wr = 0; wr < count; wr++) {
            starts[wr] = bytes;
            segments[wr] = measure(requests[wr]);
            bytes += Wqe.blocks(segments[wr]) * Wqe.BLOCK;
            blocks += Wqe.blocks(segments[wr]);
        }
        if (count == 0 || blocks > queue.entries()) {
            throw new VerbsException("post_send", "requests=" + count + " blocks=" + blocks + " queue blocks="
                    + queue.entries());
        }
        this.template = new byte[bytes];
        for (int wr = 0; wr < count; wr++) {
            encode(wr, requests[wr]);
        }
    }

    private int measure(SendRequest request) {
        QueuePairAttributes attributes = qp.attributes();
        if (request.sges().size() > attributes.maxSendSge()) {
            throw new VerbsException("post_send", "sges=" + request.sges().size() + " maxSendSge="
                    + attributes.maxSendSge());
        }
        int before = Wqe.dataOffset(Wqe.opcodeOf(request.opcode())) / Wqe.SEGMENT;
        if (!request.has(SendRequest.INLINE)) {
            return before + request.sges().size();
        }
        return before + (4 + attributes.maxInline() + 15 >> 4);
    }

    private void encode(int wr, SendRequest request) {
        opcodes[wr] = request.opcode();
        codes[wr] = Wqe.opcodeOf(request.opcode());
        wrIds[wr] = request.wrId();
        int count = request.sges().size();
        bases[wr] = new long[count];
        int at = starts[wr];
        BigEndian.putInt(template, at + Wqe.QPN_DS, qp.number() << 8 | segments[wr]);
        template[at + Wqe.FM_CE_SE] = (byte) ((request.has(SendRequest.SIGNALLED) ? Wqe.CE_ALWAYS : 0)
                | (request.has(SendRequest.SOLICITED) ? Wqe.SOLICITED : 0)
                | (request.has(SendRequest.FENCE) ? Wqe.FENCE : 0));
        if (request.opcode().hasImmediate()) {
            immediate(wr, request.immediate());
        }
        if (request.opcode().isOneSided()) {
            remoteAddress(wr, request.remoteAddress()).rkey(wr, request.rkey());
        }
        if (request.opcode().isAtomic()) {
            operands(wr, request.compare(), request.swapOrAdd());
        }
        if (request.has(SendRequest.INLINE)) {
            inline[wr] = new Sges(new long[count], new int[count], new int[count]);
            checkInline(request);
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
        return starts[wr] + Wqe.dataOffset(codes[wr]) + sge * Wqe.SEGMENT;
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
        int at = starts[wr] + Wqe.FM_CE_SE;
        template[at] = (byte) (signalled ? template[at] | Wqe.CE_ALWAYS : template[at] & ~Wqe.CE_ALWAYS);
        return this;
    }

    @Override
    public PostSend immediate(int wr, int immediate) {
        require(opcodes[wr].hasImmediate(), wr, "immediate data");
        BigEndian.putInt(template, starts[wr] + Wqe.IMMEDIATE, immediate);
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
            BigEndian.putLong(template, data(wr, sge) + Wqe.DATA_ADDRESS, address);
        }
        return this;
    }

    @Override
    public PostSend length(int wr, int sge, int length) {
        if (inline[wr] != null) {
            inline[wr].lengths[sge] = checkLength(length);
        } else {
            BigEndian.putInt(template, data(wr, sge), checkLength(length));
        }
        return this;
    }

    @Override
    public PostSend lkey(int wr, int sge, int lkey) {
        if (inline[wr] != null) {
            inline[wr].lkeys[sge] = lkey;
        } else {
            BigEndian.putInt(template, data(wr, sge) + Wqe.DATA_LKEY, lkey);
        }
        return this;
    }

    @Override
    public PostSend remoteAddress(int wr, long address) {
        require(opcodes[wr].isOneSided(), wr, "remote address");
        BigEndian.putLong(template, starts[wr] + Wqe.REMOTE, address);
        return this;
    }

    @Override
    public PostSend rkey(int wr, int rkey) {
        require(opcodes[wr].isOneSided(), wr, "rkey");
        BigEndian.putInt(template, starts[wr] + Wqe.REMOTE + 8, rkey);
        return this;
    }

    @Override
    public PostSend operands(int wr, long compare, long swapOrAdd) {
        require(opcodes[wr].isAtomic(), wr, "operands");
        BigEndian.putLong(template, starts[wr] + Wqe.ATOMIC, swapOrAdd);
        BigEndian.putLong(template, starts[wr] + Wqe.ATOMIC + 8, compare);
        return this;
    }

    @Override
    public int execute() {
        if (freed || !qp.maySend() || qp.isClosed()) {
            throw new IllegalStateException(
                    "post_send: freed=" + freed + " qp=" + qp.number() + " state=" + qp.state());
        }
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
        int at = starts[wr];
        if (inline[wr] != null) {
            copyInline(wr);
        }
        int blocks = Wqe.blocks(segments[wr]);
        if (!queue.hasRoom(blocks)) {
            return false;
        }
        BigEndian.putInt(template, at, Wqe.opmodIndexOpcode(0, queue.head(), codes[wr]));
        queue.write(template, at, segments[wr] * Wqe.SEGMENT, blocks, wrIds[wr]);
        return true;
    }

    private void copyInline(int wr) {
        Sges sges = inline[wr];
        int start = starts[wr] + Wqe.dataOffset(codes[wr]);
        int total = 0;
        for (int sge = 0; sge < sges.lengths.length; sge++) {
            int length = sges.lengths[sge];
            if (total + length > qp.attributes().maxInline()) {
                throw new VerbsException("post_send", "inline bytes=" + ((long) total + length) + " maxInline="
                        + qp.attributes().maxInline());
            }
            if (!memory.read(sges.addresses[sge], sges.lkeys[sge], template, start + 4 + total, length)) {
                throw new VerbsException("post_send", "inline data outside registered memory: address=0x"
                        + Long.toHexString(sges.addresses[sge]) + " length=" + length);
            }
            total += length;
        }
        BigEndian.putInt(template, start, Wqe.INLINE | total);
        segments[wr] = Wqe.dataOffset(codes[wr]) / Wqe.SEGMENT + (4 + total + 15 >> 4);
        BigEndian.putInt(template, starts[wr] + Wqe.QPN_DS, qp.number() << 8 | segments[wr]);
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
