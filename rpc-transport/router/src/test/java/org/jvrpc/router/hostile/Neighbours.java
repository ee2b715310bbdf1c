package org.jvrpc.router.hostile;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/**
 * Two tenants that do nothing wrong. Each message bears its tenant's stamp, a number and a checksum, and all other
 * memory of both has a pattern: a byte of a stranger's is seen. One thread.
 */
final class Neighbours implements AutoCloseable {

    private static final int AREA = 4096;
    private static final int LONGEST = AREA;
    private static final int HEADER = 24;
    private static final int PATTERN = 0x5a5a5a5a;

    private final End one;
    private final End other;
    private int calls;

    /** Connects two devices. @param address of the second's tenant */
    Neighbours(Device first, Device second, String address) {
        one = new End(first, 0x1111_1111_0000_0001L);
        other = new End(second, 0x2222_2222_0000_0002L);
        Listener listener = other.keep(second.listen(address, other.channel));
        CompletableFuture<Connection> connector = CompletableFuture.supplyAsync(
                () -> one.keep(first.connect(address, one.qp, new byte[0], one.channel, Waits.limitNs())));
        ConnectionRequest[] found = new ConnectionRequest[1];
        Waits.until("a neighbour to connect", () -> (found[0] = listener.poll()) != null);
        other.keep(found[0].accept(other.qp, new byte[0]));
        connector.orTimeout(Waits.limitNs(), TimeUnit.NANOSECONDS).join();
    }

    /** One side: a page that it sends from, one that it receives in, one that is not to change. */
    private static final class End {

        private final long stamp;
        private final EventChannel channel;
        private final CompletionQueue cq;
        private final QueuePair qp;
        private final MemoryRegion mr;
        private final WorkCompletion wc = new WorkCompletion();
        private final Deque<AutoCloseable> made = new ArrayDeque<>();

        End(Device device, long stamp) {
            this.stamp = stamp;
            keep(device);
            channel = keep(device.createChannel());
            ProtectionDomain pd = keep(device.allocatePd());
            cq = keep(device.createCq(CompletionQueueAttributes.ofDepth(64)));
            qp = keep(pd.createQp(new QueuePairAttributes(cq, cq).rnr(7, 10_000)));
            mr = keep(pd.allocate(3 * AREA, Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE));
            ByteBuffer page = mr.buffer(2 * AREA, AREA);
            for (int i = 0; i < AREA; i += 4) {
                page.putInt(i, PATTERN);
            }
            qp.init();
        }

        <T extends AutoCloseable> T keep(T child) {
            synchronized (made) {
                made.push(child);
            }
            return child;
        }

        void receive() {
            PostReceive call = qp.prepareReceive(ReceiveRequest.of(1, Sge.of(mr, AREA, AREA)));
            call.execute();
            call.free();
        }

        void send(int number, int length) {
            ByteBuffer bytes = mr.buffer(0, length);
            bytes.putLong(0, stamp).putInt(8, number).putInt(12, length);
            for (int i = HEADER; i < length; i++) {
                bytes.put(i, (byte) (number * 31 + i));
            }
            bytes.putLong(16, sum(bytes, length));
            PostSend call = qp.prepareSend(SendRequest.send(2, Sge.of(mr, 0, length)).signalled());
            call.execute();
            call.free();
        }

        private static long sum(ByteBuffer bytes, int length) {
            CRC32C sum = new CRC32C();
            sum.update(bytes.duplicate().position(0).limit(16));
            sum.update(bytes.duplicate().position(HEADER).limit(length));
            return sum.getValue();
        }

        void expect() {
            Waits.until("a neighbour's completion", () -> cq.poll(wc));
            if (wc.status() != WcStatus.SUCCESS) {
                throw new AssertionError("a neighbour's completion is " + wc + ", state=" + qp.state());
            }
        }

        void check(long from, int number, int length) {
            ByteBuffer bytes = mr.buffer(AREA, AREA);
            if (bytes.getLong(0) != from || bytes.getInt(8) != number || bytes.getInt(12) != length
                    || bytes.getLong(16) != sum(bytes, length)) {
                throw new AssertionError("bytes of a stranger: stamp=0x" + Long.toHexString(bytes.getLong(0))
                        + " expected=0x" + Long.toHexString(from) + " number=" + bytes.getInt(8) + " expected="
                        + number + " length=" + bytes.getInt(12) + " expected=" + length);
            }
            for (int i = 0; i < AREA; i += 4) {
                if (mr.buffer(2 * AREA, AREA).getInt(i) != PATTERN) {
                    throw new AssertionError("a stranger wrote to byte=" + i + " of memory that nobody was given");
                }
            }
        }

        private void close() {
            synchronized (made) {
                while (!made.isEmpty()) {
                    try {
                        made.pop().close();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
        }
    }

    /** Sends a message and an answer, and looks at all of both. @throws AssertionError when anything is amiss */
    void call() {
        int length = HEADER + calls * 97 % (LONGEST - HEADER);
        exchange(one, other, length);
        exchange(other, one, length);
        calls++;
    }

    private void exchange(End from, End to, int length) {
        to.receive();
        from.send(calls, length);
        from.expect();
        to.expect();
        to.check(from.stamp, calls, length);
    }

    /** Goes on a while. */
    void goOn() {
        for (int i = 0; i < 20; i++) {
            call();
        }
    }

    int calls() {
        return calls;
    }

    @Override
    public void close() {
        one.close();
        other.close();
    }
}
