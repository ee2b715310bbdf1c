package org.jvrpc.mlx5;

import org.jvrpc.verbs.ReceiveRequest;

/** Receives of an SRQ. One thread. */
final class Mlx5PostSharedReceive extends ReceiveCall {

    private final Mlx5SharedReceiveQueue srq;
    private final SharedReceiveRing ring;

    Mlx5PostSharedReceive(Mlx5SharedReceiveQueue srq, SharedReceiveRing ring, ReceiveRequest[] requests) {
        super(requests.length, ring.depth(), ring.stride(), SharedReceiveWqe.DATA);
        this.srq = srq;
        this.ring = ring;
        fill(requests, srq.maxSge());
    }

    @Override
    void changed(int wr) {
        // Every post writes the whole WQE: its place in the ring is another each time.
    }

    @Override
    public int execute() {
        if (freed || srq.isClosed()) {
            throw new IllegalStateException(
                    "post_srq_recv: freed=" + freed + " srq=" + srq.number() + " closed=" + srq.isClosed());
        }
        int wr = 0;
        while (wr < wrIds.length && post(wr)) {
            wr++;
        }
        if (wr > 0) {
            ring.ring();
        }
        return wr;
    }

    private boolean post(int wr) {
        if (empties[wr] == 0) {
            return ring.write(template, wr * stride, wrIds[wr]);
        }
        compact(wr);
        return ring.write(compact, 0, wrIds[wr]);
    }

    @Override
    public boolean valid() {
        return !freed && !srq.isClosed();
    }
}
