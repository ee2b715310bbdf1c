package org.jvrpc.softrnic;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WorkCompletion;

/** Two connected QPs whose arenas a test damages through mappings of its own. One thread. */
final class FuzzPair implements AutoCloseable {

    static final int MEMORY = 4096;
    private static final int CANARY = 512;

    final End left;
    final End right;
    boolean broken;
    private final WorkCompletion wc = new WorkCompletion();
    private final Map<String, MappedByteBuffer> files;

    FuzzPair(Device leftDevice, Device rightDevice, SplittableRandom random, Map<String, MappedByteBuffer> files) {
        this.files = files;
        CompletionQueueAttributes cq = new CompletionQueueAttributes(
                32, random.nextBoolean() ? 64 : 128, random.nextBoolean(), random.nextBoolean(), null);
        left = new End(leftDevice, cq);
        right = new End(rightDevice, cq);
    }

    /** Connects; true unless the damage done before was noticed. */
    boolean connect() {
        try {
            byte[] endpoint = left.qp.endpoint();
            left.qp.connect(right.qp.endpoint());
            right.qp.connect(endpoint);
            return true;
        } catch (VerbsException e) {
            broken = true;
            return false;
        }
    }

    /** Connects two new QPs with new CQs in place of these, with all else as before; true as {@link #connect}. */
    boolean renewQps() {
        for (End end : new End[] {left, right}) {
            end.closeQp();
            end.makeQp();
        }
        return connect();
    }

    boolean isUsable() {
        return !broken && left.qp.state() == QueuePairState.RTS && right.qp.state() == QueuePairState.RTS;
    }

    /** Polls everything, a bounded number of times. */
    void drain() {
        for (End end : new End[] {left, right}) {
            drain(end.sendCq);
            drain(end.receiveCq);
        }
    }

    private void drain(CompletionQueue cq) {
        try {
            for (int i = 0; i < 64 && cq.poll(wc); i++) {
                if (wc.succeeded() && wc.inlineBuffer() != null) {
                    wc.inlineBuffer().get(wc.inlineOffset(), new byte[wc.byteLength()]);
                }
            }
        } catch (VerbsException e) {
            broken = true;
        }
    }

    /** Returns the file that holds an address of a device, mapped. */
    MappedByteBuffer file(Device device, long address) {
        int segment = Slab.segmentOf(address);
        return files.computeIfAbsent(device.name() + "/" + segment, name -> {
            try (FileChannel channel = FileChannel.open(SharedMemoryFolder.path().resolve(name),
                    StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                return channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Forgets mappings now and then, so that they do not pile up. */
    static Map<String, MappedByteBuffer> newFiles() {
        return new HashMap<>();
    }

    @Override
    public void close() {
        left.close();
        right.close();
    }

    /** One end: canaries lie before and behind the memory that may be written. */
    final class End {

        final Device device;
        final ProtectionDomain pd;
        private final CompletionQueueAttributes attributes;
        CompletionQueue sendCq;
        CompletionQueue receiveCq;
        final MemoryRegion before;
        final MemoryRegion mr;
        final MemoryRegion behind;
        QueuePair qp;
        long context;

        End(Device device, CompletionQueueAttributes attributes) {
            this.device = device;
            this.attributes = attributes;
            pd = device.allocatePd();
            before = canary();
            mr = pd.allocate(MEMORY, Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE
                    | Access.REMOTE_ATOMIC);
            behind = canary();
            makeQp();
        }

        private void makeQp() {
            sendCq = device.createCq(attributes);
            receiveCq = device.createCq(attributes);
            qp = pd.createQp(new QueuePairAttributes(sendCq, receiveCq).depth(8, 8).sges(4, 4).inline(64)
                    .rnr(QueuePairAttributes.RNR_RETRY_FOREVER, 0));
            qp.init();
            context = ByteBuffer.wrap(qp.endpoint()).order(ByteOrder.LITTLE_ENDIAN).getLong();
        }

        private MemoryRegion canary() {
            MemoryRegion region = pd.allocate(CANARY, 0);
            byte[] bytes = new byte[CANARY];
            Arrays.fill(bytes, (byte) 0x5a);
            region.buffer(0, CANARY).put(bytes);
            return region;
        }

        boolean canariesLive() {
            return intact(before) && intact(behind);
        }

        private boolean intact(MemoryRegion region) {
            byte[] bytes = new byte[CANARY];
            region.buffer(0, CANARY).get(bytes);
            for (byte b : bytes) {
                if (b != 0x5a) {
                    return false;
                }
            }
            return true;
        }

        Sge sge(int offset, int length) {
            return Sge.of(mr, offset, length);
        }

        MappedByteBuffer qpFile() {
            return file(device, context);
        }

        int qpAt() {
            return Slab.index(context);
        }

        long receiveCqAddress() {
            return QpContext.cq(qpFile(), qpAt());
        }

        int receiveRingAt() {
            return qpAt() + QpContext.RINGS;
        }

        int receiveRingBytes() {
            return QpContext.rqEntries(qpFile(), qpAt()) * QpContext.rqStride(qpFile(), qpAt());
        }

        int sendRingAt() {
            return receiveRingAt() + Math.max(64, receiveRingBytes());
        }

        private void closeQp() {
            qp.close();
            sendCq.close();
            receiveCq.close();
        }

        void close() {
            closeQp();
            before.close();
            mr.close();
            behind.close();
            pd.close();
        }
    }
}
