package org.jvrpc.ibverbs.rxe;

import java.util.List;
import java.util.Objects;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;

/** Receive WQEs kept as the longs that they have in a ring, whichever ring that is. One thread. */
abstract class RxeReceiveCall implements PostReceive {

    private static final long LOW = 0xffffffffL;

    final long[] wrIds;
    final int[] starts;
    final int[] sgeCounts;
    /** The SGEs of all requests, two longs each. */
    final long[] words;
    /** Of all SGEs of a request together. */
    final long[] lengths;
    boolean freed;
    private final long[] bases;

    RxeReceiveCall(ReceiveRequest[] requests, int limit, int maxSge) {
        int count = requests.length;
        if (count == 0 || count > limit) {
            throw new VerbsException("post_recv", "requests=" + count + " queue=" + limit);
        }
        this.wrIds = new long[count];
        this.starts = new int[count];
        this.sgeCounts = new int[count];
        this.lengths = new long[count];
        int end = 0;
        for (int wr = 0; wr < count; wr++) {
            int sges = requests[wr].sges().size();
            if (sges > maxSge) {
                throw new VerbsException("post_recv", "sges=" + sges + " maxReceiveSge=" + maxSge);
            }
            starts[wr] = end;
            sgeCounts[wr] = sges;
            end += 2 * sges;
        }
        this.words = new long[end];
        this.bases = new long[end];
        for (int wr = 0; wr < count; wr++) {
            encode(wr, requests[wr].wrId(), requests[wr].sges());
        }
    }

    private void encode(int wr, long wrId, List<Sge> sges) {
        wrIds[wr] = wrId;
        for (int sge = 0; sge < sges.size(); sge++) {
            Sge piece = sges.get(sge);
            int at = starts[wr] + 2 * sge;
            bases[at] = piece.address();
            words[at] = piece.address();
            words[at + 1] = RxeSendWqe.pair(piece.length(), piece.lkey());
            lengths[wr] += piece.length();
        }
    }

    private int at(int wr, int sge) {
        Objects.checkIndex(sge, sgeCounts[wr]);
        return starts[wr] + 2 * sge;
    }

    @Override
    public final PostReceive wrId(int wr, long wrId) {
        wrIds[wr] = wrId;
        return this;
    }

    @Override
    public final PostReceive address(int wr, int sge, long address) {
        int at = at(wr, sge);
        bases[at] = address;
        words[at] = address;
        return this;
    }

    @Override
    public final PostReceive offset(int wr, int sge, long offset) {
        int at = at(wr, sge);
        words[at] = bases[at] + offset;
        return this;
    }

    @Override
    public final PostReceive length(int wr, int sge, int length) {
        int at = at(wr, sge) + 1;
        if (length < 0) {
            throw new IllegalArgumentException("length must not be negative, length=" + length);
        }
        lengths[wr] += length - (words[at] & LOW);
        words[at] = words[at] & ~LOW | length;
        return this;
    }

    @Override
    public final PostReceive lkey(int wr, int sge, int lkey) {
        int at = at(wr, sge) + 1;
        words[at] = RxeSendWqe.pair((int) words[at], lkey);
        return this;
    }

    @Override
    public final int size() {
        return wrIds.length;
    }

    @Override
    public final void free() {
        freed = true;
    }
}
