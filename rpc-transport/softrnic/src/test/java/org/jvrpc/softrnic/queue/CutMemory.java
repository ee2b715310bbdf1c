package org.jvrpc.softrnic.queue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.memory.Atomics;
import org.jvrpc.softrnic.memory.Copy;
import org.jvrpc.softrnic.memory.LateFaults;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.router.wire.SubmitRing;
import org.jvrpc.verbs.QueuePairState;

/**
 * A process that touches memory in each way in which a router touches a tenant's, before and after its file is cut. It
 * says what became of each; a virtual machine that does not survive one says nothing more.
 */
final class CutMemory {

    private static final int BYTES = 64 << 10;
    private static final int CQ = 16 << 10;
    private static final int SUBMIT = 48 << 10;
    private static final int ENTRIES = 8;
    private static final int SEGMENT = 1;

    private final ByteBuffer trusted = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final Slab own = Slab.wrap(trusted, 0);
    private final Slab slab;
    private final ByteBuffer memory;
    private final Atomics atomics;
    private final CqWriter cq;
    private final long[] old = new long[1];
    private final Map<String, Runnable> ways = new LinkedHashMap<>();
    private int woken;

    private CutMemory(FileChannel channel) throws IOException {
        slab = Slab.of(channel, SEGMENT, BYTES);
        memory = slab.window(slab.base());
        atomics = slab.atomics();
        Cqe.initialize(memory, CQ + CqContext.RING, ENTRIES, Cqe.BYTES);
        CqContext.writePrivate(trusted, 0, 7, ENTRIES, Cqe.BYTES, false, slab.base() + CQ);
        cq = CqWriter.of(new Both(), own.base(), 1, () -> woken++, false);
        queueWays();
        ways.put("compare and swap", () -> atomics.compareAndSwap(memory, 64, memory.hashCode(), 1));
        ways.put("compare and swap of what is there", () -> atomics.compareAndSwap(memory, 64, 0, 0));
        ways.put("fetch and add", () -> atomics.fetchAndAdd(memory, 72, 1));
        ways.put("masked compare and swap", () -> atomics.maskedCompareAndSwap(memory, 64, 0, 1, 0, 1, old));
        ways.put("masked fetch and add", () -> atomics.maskedFetchAndAdd(memory, 72, 1, 1L << 63, old));
        for (int length : new int[] {1, 2, 4, 8, 13, 31, 64, 127, 129, 4096}) {
            ways.put("copy in of bytes=" + length, () -> Copy.bytes(trusted, 8192, memory, 4096, length));
            ways.put("copy out of bytes=" + length, () -> Copy.bytes(memory, 4096, trusted, 8192, length));
        }
    }

    /** The queues that the router writes and reads in a tenant's memory. */
    private void queueWays() {
        ways.put("completion", () -> {
            CqContext.arm(memory, CQ);
            cq.succeed(0, 1, 2);
            BigEndian.putIntRelease(memory, CQ + CqContext.RECORD, CqContext.produced(trusted, 0));
        });
        ways.put("attention", () -> {
            CqContext.arm(memory, CQ);
            cq.attention();
        });
        ways.put("overrun", () -> {
            BigEndian.putIntRelease(memory, CQ + CqContext.RECORD, CqContext.produced(trusted, 0) - ENTRIES);
            cq.claim();
            BigEndian.putIntRelease(memory, CQ + CqContext.RECORD, CqContext.produced(trusted, 0));
        });
        ways.put("raise", () -> CqContext.raiseAlone(memory, CQ, CqContext.ATTENTION));
        ways.put("arming", () -> old[0] = CqContext.takeArmingAlone(memory, CQ) ? 1 : 0);
        ways.put("state", () -> Mirror.state(memory, CQ, QueuePairState.ERR));
        ways.put("heed", () -> SubmitRing.heed(memory, SUBMIT, 1));
        ways.put("rung", () -> SubmitRing.rung(memory, SUBMIT, 1));
        ways.put("taken", () -> SubmitRing.taken(memory, SUBMIT, 1));
        ways.put("entry", () -> old[0] = SubmitRing.read(memory, SUBMIT, 1));
        ways.put("receive", () -> old[0] = BigEndian.getIntAcquire(memory, SUBMIT));
    }

    /** The context in this process's memory, the ring in the file. */
    private final class Both implements AddressSpace {

        @Override
        public Slab find(long address, long bytes) {
            Slab found = Slab.segmentOf(address) == SEGMENT ? slab : own;
            return found.contains(address, bytes) ? found : null;
        }

        @Override
        public String place() {
            return "here";
        }

        @Override
        public void close() {
        }
    }

    /** Twice: the first error is thrown at another place than later ones. */
    private static String touch(Runnable way) {
        String told = "";
        for (int i = 0; i < 2; i++) {
            try {
                way.run();
                LateFaults.tell();
                told += " nothing";
            } catch (InternalError e) {
                told += " error";
            }
        }
        return told;
    }

    private static void tellIfAny() {
        try {
            LateFaults.tell();
        } catch (InternalError e) {
            System.out.println("late");
        }
    }

    /** @param arguments a file that is made and deleted, and how often all is done before it is cut */
    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[0]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(BYTES), 0);
            CutMemory cut = new CutMemory(channel);
            for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
                cut.ways.values().forEach(Runnable::run);
            }
            System.out.println("woken " + cut.woken);
            channel.truncate(0);
            cut.ways.forEach((name, way) -> {
                System.out.println("way " + name + ":" + touch(way));
                tellIfAny();
            });
            System.out.println("survived " + cut.ways.size());
        } finally {
            Files.delete(file);
        }
    }
}
