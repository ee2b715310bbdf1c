package org.jvrpc.runtime.sim.device;

import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.Sge;

/** Prepared receives of a simulated QP, each with one SGE. */
final class SimReceive implements PostReceive {

    private final SimQueuePair qp;
    private final long[] wrIds;
    private final long[] bases;
    private final long[] addresses;
    private final int[] lengths;
    private final int[] keys;
    private boolean freed;

    /** What is posted. */
    record Posted(long wrId, long address, int length, int key) {
    }

    SimReceive(SimQueuePair qp, ReceiveRequest... requests) {
        int count = requests.length;
        this.qp = qp;
        this.wrIds = new long[count];
        this.bases = new long[count];
        this.addresses = new long[count];
        this.lengths = new int[count];
        this.keys = new int[count];
        for (int i = 0; i < count; i++) {
            Sge sge = requests[i].sges().get(0);
            wrIds[i] = requests[i].wrId();
            bases[i] = sge.address();
            addresses[i] = sge.address();
            lengths[i] = sge.length();
            keys[i] = sge.lkey();
        }
    }

    @Override
    public int execute() {
        if (freed) {
            throw new IllegalStateException("call was freed");
        }
        for (int i = 0; i < wrIds.length; i++) {
            if (!qp.post(new Posted(wrIds[i], addresses[i], lengths[i], keys[i]))) {
                return i;
            }
        }
        return wrIds.length;
    }

    @Override
    public PostReceive wrId(int wr, long wrId) {
        wrIds[wr] = wrId;
        return this;
    }

    @Override
    public PostReceive address(int wr, int sge, long address) {
        bases[wr] = address;
        addresses[wr] = address;
        return this;
    }

    @Override
    public PostReceive offset(int wr, int sge, long offset) {
        addresses[wr] = bases[wr] + offset;
        return this;
    }

    @Override
    public PostReceive length(int wr, int sge, int length) {
        lengths[wr] = length;
        return this;
    }

    @Override
    public PostReceive lkey(int wr, int sge, int lkey) {
        keys[wr] = lkey;
        return this;
    }

    @Override
    public int size() {
        return wrIds.length;
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
