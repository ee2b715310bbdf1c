package org.jvrpc.samples.kv.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.MemoryRegion;

/** A file as a region, which outlives the process that writes it. */
final class MappedRegion implements MemoryRegion {

    private static final long ADDRESS = 1L << 40;

    private final MappedByteBuffer mapped;

    MappedRegion(Path file, int length) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, length);
        }
    }

    @Override
    public long address() {
        return ADDRESS;
    }

    @Override
    public long length() {
        return mapped.capacity();
    }

    @Override
    public int lkey() {
        return 1;
    }

    @Override
    public int rkey() {
        return 1;
    }

    @Override
    public int access() {
        return Access.LOCAL_WRITE | Access.REMOTE_READ;
    }

    @Override
    public ByteBuffer buffer(long offset, int length) {
        return mapped.slice((int) offset, length).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void close() {
        // The mapping goes with the object.
    }
}
