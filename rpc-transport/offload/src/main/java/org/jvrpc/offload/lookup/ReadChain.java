package org.jvrpc.offload.lookup;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;

/**
 * Several one-sided READs of a host's data, posted as one list with one doorbell; only the last reports its completion.
 * The thread of its client; allocates nothing once made. Closed with its client.
 */
public final class ReadChain {

    private final OffloadClient client;
    private final MemoryRegion memory;
    private final ByteBuffer bytes;
    private final int bytesEach;
    private final PostSend[] byCount;
    private PostSend call;

    ReadChain(OffloadClient client, QueuePair qp, MemoryRegion memory, int rkey, int most, int bytesEach) {
        this.client = client;
        this.memory = memory;
        this.bytesEach = bytesEach;
        this.bytes = memory.buffer(0, most * bytesEach);
        this.byCount = new PostSend[most];
        for (int count = 1; count <= most; count++) {
            SendRequest[] reads = new SendRequest[count];
            for (int i = 0; i < count; i++) {
                reads[i] = SendRequest.read(0, 0, rkey,
                        new Sge(memory.address() + at(i), bytesEach, memory.lkey()));
            }
            reads[count - 1] = reads[count - 1].signalled();
            byCount[count - 1] = qp.prepareSend(reads);
        }
    }

    /** Returns how many READs go at once. */
    public int most() {
        return byCount.length;
    }

    /** Begins a chain of some READs, 1 to {@link #most()}. */
    public void begin(int count) {
        call = byCount[count - 1];
    }

    /** Sets what the i-th READ brings. @param length at most what the chain was made for */
    public void piece(int i, long address, int length) {
        if (length < 1 || length > bytesEach) {
            throw new IllegalArgumentException("length=" + length + ": 1 to " + bytesEach + " bytes a READ");
        }
        call.remoteAddress(i, address).length(i, 0, length);
    }

    /**
     * Posts the chain and waits until all is there.
     *
     * @return false as {@link OffloadClient#read} says -1: nothing that was brought counts
     */
    public boolean run() {
        int last = call.size() - 1;
        long reading = client.nextReading();
        call.wrId(last, reading);
        return client.post(call, last + 1) && client.complete(reading);
    }

    /** Returns the memory that the READs bring to, little-endian. */
    public ByteBuffer bytes() {
        return bytes;
    }

    /** Returns where the i-th READ's bytes lie in {@link #bytes()}. */
    public int at(int i) {
        return i * bytesEach;
    }
}
