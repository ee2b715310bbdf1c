package org.jvrpc.benchmarks.soak.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Messages that are checked. */
class FramesTest {

    @Test
    void framesAreCheckedByNumberLengthAndBytes() {
        ByteBuffer frame = ByteBuffer.allocate(40);
        Frames frames = new Frames();
        Frames.fill(frame, 0);
        assertNull(frames.check(frame));
        assertEquals("number=0 expected=1", frames.check(frame));
        Frames.fill(frame, 1);
        frame.put(20, (byte) (frame.get(20) + 1));
        assertEquals("number=1 length=40 wrong byte at=20", frames.check(frame));
        Frames.fill(frame, 2);
        assertEquals("number=2 length=30 expected=40", frames.check(frame.limit(30)));
    }
}
