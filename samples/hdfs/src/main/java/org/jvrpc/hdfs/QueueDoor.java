package org.jvrpc.hdfs;

import java.io.IOException;
import java.util.ArrayDeque;
import org.apache.hadoop.ipc.JvrpcCall;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RetriableException;

/**
 * The way into a NameNode's call queue. A call that finds the queue full waits here for its turn, up to a number of
 * calls and of bytes; the next is told to come back later, as Hadoop tells it. Nobody who brings a call waits. Any
 * thread; one of its own moves those that wait.
 */
final class QueueDoor implements AutoCloseable {

    private static final String STOPPING = "the NameNode is stopping";

    private final RPC.Server server;
    private final int maxCalls;
    private final long maxBytes;
    private final Thread mover;
    /** The first stays until it is in the queue. Guarded by this, as all below. */
    private final ArrayDeque<QueuedCall> waiting = new ArrayDeque<>();
    private long bytes;
    private boolean closed;

    QueueDoor(RPC.Server server, int maxCalls, long maxBytes) {
        this.server = server;
        this.maxCalls = maxCalls;
        this.maxBytes = maxBytes;
        this.mover = new Thread(this::move, "jvrpc-hdfs-queue-" + server.getPort());
        mover.setDaemon(true);
        mover.start();
    }

    /** Takes a call, which is answered in any case. */
    void enter(QueuedCall call) {
        IOException refusal = null;
        try {
            refusal = tryEnter(call);
        } catch (IOException | RuntimeException e) {
            call.fail(e);
        }
        if (refusal != null) {
            call.fail(refusal);
        }
    }

    /** Returns why the call is refused; null when it is in the queue, or waits. @throws IOException by the queue */
    private synchronized IOException tryEnter(QueuedCall call) throws IOException {
        if (closed) {
            return new RetriableException(STOPPING);
        }
        if (waiting.isEmpty() && JvrpcCall.offer(server, call)) {
            return null;
        }
        if (waiting.size() >= maxCalls || !waiting.isEmpty() && bytes + call.requestBytes() > maxBytes) {
            return new RetriableException("Server is too busy: waiting calls=" + waiting.size() + " bytes=" + bytes
                    + " limits=" + maxCalls + ", " + maxBytes);
        }
        waiting.add(call);
        bytes += call.requestBytes();
        notifyAll();
        return null;
    }

    private void move() {
        try {
            for (;;) {
                QueuedCall first = first();
                try {
                    server.queueCall(first); // waits for room
                } catch (InterruptedException e) {
                    throw e;
                } catch (Throwable t) { // a scheduler or queue of the operator's
                    first.fail(t);
                }
                synchronized (this) {
                    waiting.poll();
                    bytes -= first.requestBytes();
                }
            }
        } catch (InterruptedException e) {
            close();
        }
    }

    private synchronized QueuedCall first() throws InterruptedException {
        while (waiting.isEmpty()) {
            wait();
        }
        return waiting.peek();
    }

    synchronized int waitingCalls() {
        return waiting.size();
    }

    /** Refuses what waits, and what comes later. */
    @Override
    public void close() {
        mover.interrupt();
        ArrayDeque<QueuedCall> refused;
        synchronized (this) {
            closed = true;
            refused = waiting.clone();
            waiting.clear();
        }
        refused.forEach(call -> call.fail(new RetriableException(STOPPING)));
    }
}
