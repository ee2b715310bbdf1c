package org.jvrpc.runtime.counters;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jvrpc.runtime.counters.CounterFileException.Reason;

/** A process's file of counters, mapped to be read. Any thread. */
final class CounterFile implements CounterSource {

    private static final long LONGEST = 1L << 30;

    private final Path file;
    private final ByteBuffer memory;

    private CounterFile(Path file, ByteBuffer memory) {
        this.file = file;
        this.memory = memory;
    }

    static CounterFile open(Path file) {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new CounterFileException(Reason.UNREADABLE, "no file is at " + file);
        }
        if (CounterFiles.isOfDead(file)) {
            throw new CounterFileException(Reason.DEAD, "the process is dead that counted in " + file);
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            long size = channel.size();
            ByteBuffer header = ByteBuffer.allocateDirect(CounterLayout.HEADER_BYTES);
            while (header.hasRemaining() && channel.read(header, header.position()) > 0) {
                // the rest
            }
            long capacity = check(file, header, size);
            return new CounterFile(file, channel.map(FileChannel.MapMode.READ_ONLY, 0, capacity));
        } catch (IOException e) {
            throw new CounterFileException(Reason.UNREADABLE, file + " cannot be read: " + e, e);
        }
    }

    /** Returns how many bytes are to be mapped. */
    private static long check(Path file, ByteBuffer header, long size) {
        if (header.hasRemaining()) {
            throw new CounterFileException(size < Long.BYTES ? Reason.FOREIGN : Reason.CUT,
                    file + " is shorter than a header: bytes=" + size);
        }
        if (CounterMemory.getAcquire(header, 0) != CounterLayout.MAGIC) {
            throw new CounterFileException(Reason.FOREIGN, file + " does not begin as a file of counters does");
        }
        int version = CounterMemory.getInt(header, CounterLayout.VERSION_AT);
        if (version != CounterLayout.VERSION) {
            throw new CounterFileException(Reason.OTHER_VERSION, file + " has version=" + version
                    + " of the layout, this reads version=" + CounterLayout.VERSION);
        }
        long capacity = CounterMemory.get(header, CounterLayout.CAPACITY);
        long used = CounterMemory.get(header, CounterLayout.USED);
        if (capacity > size || capacity > LONGEST || used > capacity || used < CounterLayout.HEADER_BYTES) {
            throw new CounterFileException(Reason.CUT, file + " says capacity=" + capacity + " used=" + used
                    + " and has bytes=" + size);
        }
        return capacity;
    }

    @Override
    public ProcessCounters read() {
        if (CounterFiles.isOfDead(file)) {
            throw new CounterFileException(Reason.DEAD, "the process is dead that counted in " + file);
        }
        try {
            if (Files.size(file) < memory.capacity()) {
                throw new CounterFileException(Reason.CUT, file + " became shorter than " + memory.capacity());
            }
            return new CounterReader(memory).read();
        } catch (IOException e) {
            throw new CounterFileException(Reason.UNREADABLE, file + " cannot be read: " + e, e);
        } catch (InternalError e) { // which the machine makes of a read behind the end of a file that was cut just now
            throw new CounterFileException(Reason.CUT, file + " was cut while it was read", e);
        }
    }
}
