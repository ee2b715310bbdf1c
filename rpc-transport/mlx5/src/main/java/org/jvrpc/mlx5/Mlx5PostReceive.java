package org.jvrpc.mlx5;

import org.jvrpc.verbs.ReceiveRequest;

/** Receives of a QP with a queue of its own. One thread. */
final class Mlx5PostReceive extends ReceiveCall {

    private final Mlx5QueuePair qp;
    private final ReceiveQueue queue;
    private final long[] versions;

    Mlx5PostReceive(Mlx5QueuePair qp, ReceiveQueue queue, ReceiveRequest[] requests) {
        super(requests.length, queue.entries(), queue.stride(), 0);
        this.qp = qp;
        this.queue = queue;
        this.versions = new long[requests.length];
        fill(requests, qp.attributes().maxReceiveSge());
    }

    @Override
    void changed(int wr) {
        versions[wr] = queue.newVersion();
    }

    @Override
    public int execute() {
        if (freed || qp.isClosed() || !qp.mayReceive()) {
            throw new IllegalStateException(
                    "post_recv: freed=" + freed + " qp=" + qp.number() + " state=" + qp.state());
        }
        int count = Math.min(wrIds.length, queue.room());
        for (int wr = 0; wr < count; wr++) {
            if (empties[wr] == 0) {
                queue.write(wr, template, wr * stride, wrIds[wr], versions[wr]);
            } else {
                compact(wr);
                queue.write(wr, compact, 0, wrIds[wr], versions[wr]);
            }
        }
        queue.ring(count);
        if (qp.control().mustFlush()) {
            qp.control().failed(); // has what was just posted flushed, too
        }
        return count;
    }

    @Override
    public boolean valid() {
        return !freed && !qp.isClosed();
    }
}
