package org.jvrpc.ibverbs.generic;

import java.util.Arrays;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.VerbsException;

/** Receives kept as a list of {@code struct ibv_recv_wr}, whichever queue they are for. One thread. */
abstract class ReceiveCall implements PostReceive {

    final Chain chain;
    final long[] wrIds;
    boolean freed;

    ReceiveCall(ReceiveRequest[] requests, int limit, int maxSge) {
        if (requests.length == 0 || requests.length > limit) {
            throw new VerbsException("post_recv", "requests=" + requests.length + " queue=" + limit);
        }
        for (ReceiveRequest request : requests) {
            if (request.sges().size() > maxSge) {
                throw new VerbsException("post_recv", "sges=" + request.sges().size() + " maxReceiveSge=" + maxSge);
            }
        }
        this.chain = Chain.ofReceives(Arrays.stream(requests).map(ReceiveRequest::sges).toList());
        this.wrIds = Arrays.stream(requests).mapToLong(ReceiveRequest::wrId).toArray();
    }

    @Override
    public final PostReceive wrId(int wr, long wrId) {
        wrIds[wr] = wrId;
        return this;
    }

    @Override
    public final PostReceive address(int wr, int sge, long address) {
        chain.address(wr, sge, address);
        return this;
    }

    @Override
    public final PostReceive offset(int wr, int sge, long offset) {
        chain.offset(wr, sge, offset);
        return this;
    }

    @Override
    public final PostReceive length(int wr, int sge, int length) {
        chain.length(wr, sge, length);
        return this;
    }

    @Override
    public final PostReceive lkey(int wr, int sge, int lkey) {
        chain.lkey(wr, sge, lkey);
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
