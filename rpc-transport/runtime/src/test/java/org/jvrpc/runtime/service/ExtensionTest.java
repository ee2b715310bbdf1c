package org.jvrpc.runtime.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

class ExtensionTest {

    private static final long SEED = Long.getLong("jvrpc.seed", System.nanoTime());
    private final ByteBuffer memory = ByteBuffer.allocateDirect(1 << 20);
    private final WireWriter writer = new WireWriter();
    private final WireReader reader = new WireReader();

    private int write(long deadlineNs, Metadata metadata) {
        writer.reset(memory, 0, memory.capacity(), null, null);
        return Extension.write(writer, deadlineNs, metadata);
    }

    private Extension read(int length) {
        reader.reset(memory, 0, length, null);
        return Extension.read(reader);
    }

    @Test
    void deadlineAndMetadataComeOutAsTheyWentIn() {
        SplittableRandom random = new SplittableRandom(SEED);
        System.out.println("deadlineAndMetadata: -Djvrpc.seed=" + SEED);
        for (int i = 0; i < 500; i++) {
            Metadata metadata = new Metadata();
            for (int n = random.nextInt(6); n > 0; n--) {
                metadata.put("name" + random.nextInt(3), "wért".repeat(random.nextInt(20)));
            }
            long deadlineNs = random.nextLong();
            Extension read = read(write(deadlineNs, metadata));
            assertEquals(deadlineNs, read.deadlineNs());
            assertEquals(metadata.toString(), read.metadata().toString());
        }
        assertEquals(0, read(write(7, null)).metadata().size());
    }

    @Test
    void tooManyTooLongAndTooMuchAreRefused() {
        Metadata many = new Metadata();
        for (int i = 0; i < 257; i++) {
            many.put("n", "v");
        }
        Metadata entry = new Metadata().put("n", "x".repeat(1025));
        Metadata much = new Metadata();
        for (int i = 0; i < 70; i++) {
            much.put("n", "x".repeat(1000));
        }
        for (Metadata bad : new Metadata[] {many, entry, much}) {
            assertEquals(Status.INVALID_ARGUMENT, assertThrows(RpcException.class, () -> write(0, bad)).status());
        }
    }

    @Test
    void bytesThatAreNoneFailAsRpcExceptions() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 20_000; i++) {
            int length = random.nextInt(64);
            for (int j = 0; j < length; j++) {
                memory.put(j, (byte) random.nextInt(random.nextBoolean() ? 3 : 256));
            }
            try {
                read(length);
            } catch (RpcException e) {
                assertEquals(Status.INTERNAL, e.status(), e.getMessage());
            }
        }
    }
}
