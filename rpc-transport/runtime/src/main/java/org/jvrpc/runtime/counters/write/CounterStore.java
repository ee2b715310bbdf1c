package org.jvrpc.runtime.counters.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jvrpc.runtime.counters.CounterFiles;
import org.jvrpc.runtime.counters.CounterLayout;
import org.jvrpc.runtime.counters.CounterMemory;
import org.jvrpc.runtime.counters.Counters;
import org.jvrpc.verbs.host.ProcessId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory that this process counts in: a file that others read, or, where none can be made, memory that only this
 * process sees. Each part of the file is written before it is used, so that the file has room where no store can fail.
 * Any thread.
 */
public final class CounterStore {

    private static final Logger LOG = LoggerFactory.getLogger(CounterStore.class);
    private static final int FILE_BYTES = 16 << 20;
    private static final int PRIVATE_BYTES = 1 << 20;
    private static final int STEP_BYTES = 1 << 16;
    /** How many files of other processes are looked at when one is made. */
    private static final int LOOKED_AT = 64;

    private static CounterStore own;

    private final ByteBuffer memory;
    /** Null for memory without a file. */
    private final Path file;
    /** Blocks that are free, by length. */
    private final Map<Integer, Deque<Integer>> free = new HashMap<>();
    private int endpoints;
    private int backed;
    private int used = CounterLayout.HEADER_BYTES;

    private CounterStore(Path file, ByteBuffer memory, int backed) {
        this.file = file;
        this.memory = memory;
        this.backed = backed;
    }

    /** Returns this process's, made when it is first asked for. */
    public static synchronized CounterStore own() {
        if (own == null) {
            own = make();
        }
        return own;
    }

    private static CounterStore make() {
        try {
            CounterFiles.sweep(CounterFiles.folder(), LOOKED_AT);
            CounterStore store = create(CounterFiles.folder(), FILE_BYTES);
            store.file.toFile().deleteOnExit();
            Counters.countedIn(store.memory);
            return store;
        } catch (IOException | RuntimeException e) {
            LOG.warn("nobody else sees the counters of this process, as there is no file for them: {}", e.toString());
            CounterStore store = new CounterStore(null, ByteBuffer.allocateDirect(PRIVATE_BYTES), PRIVATE_BYTES);
            store.writeHeader();
            Counters.countedIn(store.memory);
            return store;
        }
    }

    /** Makes a file of this process's name in a folder. @param capacity in bytes, a multiple of 64 KiB */
    static CounterStore create(Path folder, int capacity) throws IOException {
        CounterFiles.make(folder);
        Path file = folder.resolve(CounterFiles.nameOf(ProcessId.SELF));
        Files.deleteIfExists(file);
        try (FileChannel channel = FileChannel.open(file, Set.of(StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ, StandardOpenOption.WRITE), PosixFilePermissions.asFileAttribute(
                        PosixFilePermissions.fromString("rw-------")))) {
            back(channel, 0);
            CounterStore store = new CounterStore(
                    file, channel.map(FileChannel.MapMode.READ_WRITE, 0, capacity), STEP_BYTES);
            store.writeHeader();
            return store;
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    private static void back(FileChannel channel, int from) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocate(STEP_BYTES);
        while (zeros.hasRemaining()) {
            channel.write(zeros, from + zeros.position());
        }
    }

    private void writeHeader() {
        CounterMemory.setInt(memory, CounterLayout.HEADER_BYTES_AT, CounterLayout.HEADER_BYTES);
        CounterMemory.set(memory, CounterLayout.PID, ProcessHandle.current().pid());
        CounterMemory.set(memory, CounterLayout.PROCESS, ProcessId.SELF);
        CounterMemory.set(memory, CounterLayout.START, ProcessHandle.current().info().startInstant()
                .map(start -> start.toEpochMilli()).orElse(0L));
        CounterMemory.set(memory, CounterLayout.CAPACITY, memory.capacity());
        CounterMemory.putText(memory, CounterLayout.NAME, CounterLayout.NAME_BYTES, ProcessName.own());
        CounterMemory.set(memory, CounterLayout.USED, used);
        CounterMemory.setInt(memory, CounterLayout.VERSION_AT, CounterLayout.VERSION);
        CounterMemory.setRelease(memory, 0, CounterLayout.MAGIC); // acquired by whoever opens the file
    }

    /** Returns the memory, to be read. */
    public ByteBuffer memory() {
        return memory;
    }

    /** Returns the file, or null for memory without one. */
    public Path file() {
        return file;
    }

    /** Returns the number of a new endpoint, which no other has: 1 or more. */
    synchronized int nextEndpoint() {
        return ++endpoints;
    }

    /**
     * Takes a block whose counters are zero; it is to be published. -1 when there is no room.
     *
     * @param bytes its length, a multiple of 64; one for each kind, but for methods
     * @param owner the number of its endpoint
     */
    synchronized int take(int kind, int bytes, int owner, int lane, long sinceMs) {
        Deque<Integer> spare = free.get(bytes);
        int at = spare == null || spare.isEmpty() ? -1 : spare.pop();
        if (at >= 0) {
            CounterMemory.clear(memory, at + CounterLayout.COUNTERS, bytes - CounterLayout.COUNTERS);
        } else if (used + bytes <= memory.capacity() && backUpTo(used + bytes)) {
            at = used;
            used += bytes;
            CounterMemory.setInt(memory, at + CounterLayout.LENGTH, bytes);
            CounterMemory.set(memory, at + CounterLayout.GENERATION, 1);
            CounterMemory.setRelease(memory, CounterLayout.USED, used); // acquired by whoever reads the blocks
        } else {
            CounterMemory.add(memory, CounterLayout.LOST, 1);
            return -1;
        }
        CounterMemory.setInt(memory, at + CounterLayout.KIND, kind);
        CounterMemory.setInt(memory, at + CounterLayout.OWNER, owner);
        CounterMemory.setInt(memory, at + CounterLayout.LANE, lane);
        CounterMemory.set(memory, at + CounterLayout.SINCE, sinceMs);
        return at;
    }

    /** Has others read a block that was taken, whose texts are written. */
    void publish(int at) {
        nextGeneration(at);
    }

    /** Gives a block back whose writers are gone: nobody reads it until it is published again. */
    synchronized void give(int at) {
        nextGeneration(at);
        int bytes = CounterMemory.getInt(memory, at + CounterLayout.LENGTH);
        free.computeIfAbsent(bytes, length -> new ArrayDeque<>()).push(at);
    }

    private void nextGeneration(int at) {
        int generation = at + CounterLayout.GENERATION;
        CounterMemory.setRelease(memory, generation, CounterMemory.get(memory, generation) + 1);
    }

    private boolean backUpTo(int end) {
        if (end <= backed) {
            return true;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (; end > backed; backed += STEP_BYTES) {
                back(channel, backed);
            }
            return true;
        } catch (IOException e) {
            LOG.warn("{} finds no room for more counters: {}", file, e.toString());
            return false;
        }
    }
}
