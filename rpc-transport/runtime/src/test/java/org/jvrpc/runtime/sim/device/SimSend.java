package org.jvrpc.runtime.sim.device;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;

/** A prepared send of a simulated QP, one request a call. */
final class SimSend implements PostSend {

    private final SimQueuePair qp;
    private final SendRequest.Opcode opcode;
    private final long[] addresses;
    private final long[] bases;
    private final int[] lengths;
    private final int[] keys;
    private long wrId;
    private boolean signalled;
    private long remoteAddress;
    private int rkey;
    private boolean freed;

    SimSend(SimQueuePair qp, SendRequest... requests) {
        if (requests.length != 1) {
            throw new IllegalArgumentException("a simulated QP takes one send a call, sends=" + requests.length);
        }
        SendRequest request = requests[0];
        this.qp = qp;
        this.opcode = request.opcode();
        this.bases = request.sges().stream().mapToLong(Sge::address).toArray();
        this.addresses = bases.clone();
        this.lengths = request.sges().stream().mapToInt(Sge::length).toArray();
        this.keys = request.sges().stream().mapToInt(Sge::lkey).toArray();
        this.wrId = request.wrId();
        this.signalled = request.has(SendRequest.SIGNALLED);
        this.remoteAddress = request.remoteAddress();
        this.rkey = request.rkey();
    }

    /** What is posted. Its memory is the device's until it completes, and looked at as late as possible. */
    static final class Posted {

        final SendRequest.Opcode opcode;
        final long wrId;
        final boolean signalled;
        final long remoteAddress;
        final int rkey;
        final long number;
        private final long[] addresses;
        private final int[] lengths;
        private final int[] keys;
        /** What a READ brought, until its acknowledgement is there. */
        ByteBuffer brought;
        boolean delivered;

        private Posted(SimSend send, long number) {
            this.opcode = send.opcode;
            this.wrId = send.wrId;
            this.signalled = send.signalled;
            this.remoteAddress = send.remoteAddress;
            this.rkey = send.rkey;
            this.number = number;
            this.addresses = send.addresses.clone();
            this.lengths = send.lengths.clone();
            this.keys = send.keys;
        }

        int bytes() {
            int sum = 0;
            for (int length : lengths) {
                sum += length;
            }
            return sum;
        }

        /** Copies between the SGEs and a buffer, whose position moves; false when a key opens nothing. */
        boolean copy(SimDomain domain, ByteBuffer with, boolean out, int right) {
            for (int i = 0; i < lengths.length; i++) {
                if (lengths[i] == 0) {
                    continue;
                }
                ByteBuffer piece = domain.reach(keys[i], addresses[i], lengths[i], right);
                if (piece == null) {
                    return false;
                }
                if (out) {
                    with.put(piece);
                } else {
                    piece.put(with.slice(with.position(), lengths[i]));
                    with.position(with.position() + lengths[i]);
                }
            }
            return true;
        }
    }

    @Override
    public int execute() {
        if (freed) {
            throw new IllegalStateException("call was freed");
        }
        return qp.post(number -> new Posted(this, number)) ? 1 : 0;
    }

    @Override
    public boolean push(long first, long second, int length) {
        if (freed) {
            throw new IllegalStateException("call was freed");
        }
        if (opcode != SendRequest.Opcode.SEND || signalled || lengths.length != 2 || lengths[0] != HEADER_BYTES) {
            return false;
        }
        return qp.push(first, second, addresses[1], length, keys[1]);
    }

    private static void only(int wr) {
        if (wr != 0) {
            throw new IndexOutOfBoundsException("wr=" + wr);
        }
    }

    @Override
    public PostSend wrId(int wr, long value) {
        only(wr);
        wrId = value;
        return this;
    }

    @Override
    public PostSend signalled(int wr, boolean value) {
        only(wr);
        signalled = value;
        return this;
    }

    @Override
    public PostSend immediate(int wr, int immediate) {
        throw new IllegalStateException("a simulated send has no immediate data");
    }

    @Override
    public PostSend address(int wr, int sge, long address) {
        only(wr);
        bases[sge] = address;
        addresses[sge] = address;
        return this;
    }

    @Override
    public PostSend offset(int wr, int sge, long offset) {
        only(wr);
        addresses[sge] = bases[sge] + offset;
        return this;
    }

    @Override
    public PostSend length(int wr, int sge, int length) {
        only(wr);
        lengths[sge] = length;
        return this;
    }

    @Override
    public PostSend lkey(int wr, int sge, int lkey) {
        only(wr);
        keys[sge] = lkey;
        return this;
    }

    @Override
    public PostSend remoteAddress(int wr, long address) {
        only(wr);
        remoteAddress = address;
        return this;
    }

    @Override
    public PostSend rkey(int wr, int key) {
        only(wr);
        rkey = key;
        return this;
    }

    @Override
    public PostSend operands(int wr, long compare, long swapOrAdd) {
        throw new IllegalStateException("a simulated QP has no atomics");
    }

    @Override
    public int size() {
        return 1;
    }

    @Override
    public boolean valid() {
        return !freed;
    }

    @Override
    public void free() {
        freed = true;
    }
}
