package org.jvrpc.fabric.network;

/** Frames in the order in which they came. */
public final class FrameQueue {

    private Frame head;
    private Frame tail;
    private int frames;
    private long bytes;

    public void add(Frame frame) {
        frame.next = null;
        if (head == null) {
            head = frame;
        } else {
            tail.next = frame;
        }
        tail = frame;
        frames++;
        bytes += frame.bytes;
    }

    /** Takes the oldest away; null when there is none. */
    public Frame poll() {
        Frame frame = head;
        if (frame != null) {
            head = frame.next;
            frame.next = null;
            frames--;
            bytes -= frame.bytes;
        }
        return frame;
    }

    /** Returns the oldest, null when there is none. */
    public Frame peek() {
        return head;
    }

    public boolean isEmpty() {
        return head == null;
    }

    public int frames() {
        return frames;
    }

    public long bytes() {
        return bytes;
    }
}
