package org.jvrpc.runtime.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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

    /** Writes nothing but noise, or an extension that may be damaged or cut off; returns its length. */
    private int someBytes(SplittableRandom random) {
        int length = random.nextInt(64);
        if (random.nextBoolean()) {
            for (int j = 0; j < length; j++) {
                memory.put(j, (byte) random.nextInt(random.nextBoolean() ? 3 : 256));
            }
            return length;
        }
        Metadata metadata = new Metadata();
        for (int n = random.nextInt(4); n > 0; n--) {
            metadata.put("name" + n, "wért".repeat(random.nextInt(5)));
        }
        length = write(random.nextLong(), metadata);
        for (int damage = random.nextInt(3); damage > 0; damage--) {
            memory.put(random.nextInt(length), (byte) random.nextInt());
        }
        return random.nextInt(4) == 0 ? random.nextInt(length) : length;
    }

    @Test
    void bytesThatAreNoneFailAsRpcExceptions() {
        SplittableRandom random = new SplittableRandom(SEED);
        System.out.println("bytesThatAreNone: -Djvrpc.seed=" + SEED);
        int readEntries = 0;
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            int length = someBytes(random);
            try {
                Extension read = read(length);
                long deadlineNs = memory.order(ByteOrder.LITTLE_ENDIAN).getLong(0);
                assertEquals(deadlineNs, read.deadlineNs());
                Extension again = read(write(deadlineNs, read.metadata()));
                assertEquals(read.metadata().toString(), again.metadata().toString());
                readEntries += read.metadata().size();
            } catch (RpcException e) {
                assertEquals(Status.INTERNAL, e.status(), e.getMessage());
                refused++;
            }
        }
        assertTrue(readEntries > 0 && refused > 0, "entries read=" + readEntries + " refused=" + refused);
    }

    private void refused(String message, Metadata metadata) {
        RpcException e = assertThrows(RpcException.class, () -> write(0, metadata));
        assertEquals(Status.INVALID_ARGUMENT, e.status());
        assertEquals(message, e.getMessage());
    }

    @Test
    void whatFitsExactlyIsTakenAndOneMoreIsToldWithItsLimit() {
        Metadata many = new Metadata();
        for (int i = 0; i < 256; i++) {
            many.put("n", "v");
        }
        assertEquals(256, read(write(1, many)).metadata().size());
        refused("too much metadata: entries=257 limit=256", many.put("n", "v"));
        Metadata entry = new Metadata().put("n", "x".repeat(1024));
        assertEquals("x".repeat(1024), read(write(1, entry)).metadata().get("n"));
        refused("metadata entry is too long: chars=1025 limit=1024", new Metadata().put("n", "x".repeat(1025)));
        refused("metadata entry is too long: chars=1025 limit=1024", new Metadata().put("x".repeat(1025), "v"));
        Metadata much = new Metadata();
        for (int i = 0; i < 64; i++) {
            much.put("n", "x".repeat(1000));
        }
        int last = 0xffff - write(0, new Metadata().putAll(much).put("n", ""));
        assertEquals(0xffff, write(0, new Metadata().putAll(much).put("n", "x".repeat(last))));
        refused("metadata is too long: bytes=65536 limit=65535", much.put("n", "x".repeat(last + 1)));
    }

    @Test
    void theLengthIsThatOfWhatWasWrittenBehindTheBody() {
        writer.reset(memory, 0, memory.capacity(), null, null);
        writer.writeLong(1);
        int length = Extension.write(writer, 5, new Metadata().put("a", "b"));
        assertEquals(writer.length() - 8, length);
        reader.reset(memory, 8, length, null);
        assertEquals("b", Extension.read(reader).metadata().get("a"));
    }

    @Test
    void whatAllCallsShareIsNobodysOwn() {
        Extension own = Extension.NONE.own();
        own.metadata().put("a", "b");
        assertEquals(0, Extension.NONE.own().metadata().size());
        assertSame(own, own.own());
        assertEquals(0, own.deadlineNs());
    }
}
