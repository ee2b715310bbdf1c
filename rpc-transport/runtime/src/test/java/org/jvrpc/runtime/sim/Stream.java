package org.jvrpc.runtime.sim;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jvrpc.runtime.sim.world.Violation;

/** The frames of one direction of a session: they arrive whole, in their order, each once, and none behind the end. */
final class Stream {

    private final String name;
    private final Queue<Integer> underWay = new ArrayDeque<>();
    /** The sender ends the session at once, which may look as if it had died. */
    boolean breaksOff;
    private int next;
    private int ends;

    Stream(String name) {
        this.name = name;
    }

    /** Makes the next frame, of so many bytes at least. */
    ByteBuffer frame(int bytes) {
        ByteBuffer frame = ByteBuffer.allocate(Math.max(4, bytes)).putInt(0, next);
        for (int i = 4; i < frame.capacity(); i++) {
            frame.put(i, (byte) (next * 31 + i));
        }
        return frame;
    }

    /** The next frame was taken for sending: before it can arrive. */
    void sending() {
        underWay.add(next++);
    }

    void arrived(ByteBuffer frame) {
        Integer number = underWay.poll();
        if (ends > 0 || number == null || frame.remaining() < 4 || frame.getInt(frame.position()) != number) {
            throw new Violation(name + " frame of bytes=" + frame.remaining() + " arrived, expected=" + number
                    + (ends > 0 ? " after the end" : ""));
        }
        for (int i = 4; i < frame.remaining(); i++) {
            if (frame.get(frame.position() + i) != (byte) (number * 31 + i)) {
                throw new Violation(name + " frame " + number + " is torn at " + i);
            }
        }
    }

    /** The receiver was told of the end. */
    void ended() {
        if (++ends > 1) {
            throw new Violation(name + " ended twice");
        }
    }

    boolean isOver() {
        return ends > 0;
    }

    /** Returns how many frames were sent and did not arrive. */
    int missing() {
        return underWay.size();
    }
}
