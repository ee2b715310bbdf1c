package org.jvrpc.benchmarks.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

final class FrameTest {

    @Test
    void shouldCountWholeFramesOnly() {
        ByteBuffer buffer = ByteBuffer.allocate(64).putInt(0).putInt(3).put(new byte[3]).putInt(8).put(new byte[7]);
        buffer.flip();
        assertEquals(4 + 7, Frame.wholeBytes(buffer));
        assertEquals(0, buffer.position());
        buffer.limit(3);
        assertEquals(0, Frame.wholeBytes(buffer));
    }
}
