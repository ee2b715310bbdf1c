package org.jvrpc.fabric.network;

import java.util.Arrays;

/** The frames of one priority that wait at one port of a switch: one queue, or one for each port they came in by. */
final class Lane implements Arbiter.Heads {

    private final FrameQueue[] queues;
    private final Arbiter arbiter;
    private long filled;
    private long bytes;
    private int frames;

    /**
     * Makes an empty one.
     *
     * @param quantum bytes that each port may have sent a round, by deficit round robin
     */
    Lane(Scheduling scheduling, int ports, int quantum) {
        queues = new FrameQueue[scheduling == Scheduling.FIRST_COME ? 1 : ports];
        for (int i = 0; i < queues.length; i++) {
            queues[i] = new FrameQueue();
        }
        int[] weights = new int[queues.length];
        Arrays.fill(weights, quantum);
        arbiter = queues.length == 1 ? null : new Arbiter(scheduling, weights);
    }

    void add(Frame frame) {
        int queue = queues.length == 1 ? 0 : frame.ingress;
        queues[queue].add(frame);
        filled |= 1L << queue;
        bytes += frame.bytes;
        frames++;
    }

    @Override
    public Frame head(int queue) {
        return queues[queue].peek();
    }

    /** Returns the frame that came first of those that may be next. */
    Frame oldest() {
        Frame best = null;
        for (long left = filled; left != 0; left &= left - 1) {
            Frame head = queues[Long.numberOfTrailingZeros(left)].peek();
            if (best == null || head.order < best.order) {
                best = head;
            }
        }
        return best;
    }

    Frame poll() {
        int queue = arbiter == null ? 0 : arbiter.pick(filled, this);
        Frame frame = queues[queue].poll();
        if (queues[queue].isEmpty()) {
            filled &= ~(1L << queue);
        }
        bytes -= frame.bytes;
        frames--;
        return frame;
    }

    /** Returns true when a frame waits that came in by a port. */
    boolean holdsFrom(int ingress) {
        for (FrameQueue queue : queues) {
            for (Frame frame = queue.peek(); frame != null; frame = frame.next) {
                if (frame.ingress == ingress) {
                    return true;
                }
            }
        }
        return false;
    }

    boolean isEmpty() {
        return filled == 0;
    }

    long bytes() {
        return bytes;
    }

    int frames() {
        return frames;
    }
}
