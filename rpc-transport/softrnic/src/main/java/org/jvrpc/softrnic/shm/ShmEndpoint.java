package org.jvrpc.softrnic.shm;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jvrpc.verbs.VerbsException;

/**
 * What one QP's process tells another: little-endian, the address of the QP's context, then the name of the device's
 * folder in ASCII.
 */
public record ShmEndpoint(long address, String device) {

    private static final int HEADER = 8;

    byte[] encode() {
        byte[] name = device.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(HEADER + name.length).order(ByteOrder.LITTLE_ENDIAN).putLong(address).put(name)
                .array();
    }

    /** @throws VerbsException for bytes that are too few; the rest is for who looks there */
    public static ShmEndpoint decode(String operation, byte[] bytes) {
        if (bytes.length <= HEADER) {
            throw new VerbsException(operation, "endpoint is too short, bytes=" + bytes.length);
        }
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        return new ShmEndpoint(in.getLong(), StandardCharsets.US_ASCII.decode(in).toString());
    }
}
