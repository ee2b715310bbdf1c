package org.jvrpc.softrnic.router.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes a body field by field. One thread. */
final class BodyWriter {

    private final ByteBuffer bytes = ByteBuffer.allocate(ControlFrame.MAX_BODY).order(ByteOrder.LITTLE_ENDIAN);

    BodyWriter put(int value) {
        bytes.putInt(value);
        return this;
    }

    BodyWriter put(long value) {
        bytes.putLong(value);
        return this;
    }

    /** @throws IllegalArgumentException when they are more than the field takes */
    BodyWriter put(byte[] value, int most) {
        if (value.length > most) {
            throw new IllegalArgumentException("bytes=" + value.length + " limit=" + most);
        }
        bytes.putShort((short) value.length).put(value);
        return this;
    }

    BodyWriter put(String value, int most) {
        return put(value.getBytes(StandardCharsets.UTF_8), most);
    }

    byte[] body() {
        return Arrays.copyOf(bytes.array(), bytes.position());
    }
}
