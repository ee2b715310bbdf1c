package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.contract.Background;
import org.jvrpc.verbs.contract.Deadline;

/** A device while others connect to it, lose its folder, or make queues as it is closed. */
final class SoftDeviceLifeTest extends PortFixture {

    private static final int SECONDS = 30;

    private final CountDownLatch making = new CountDownLatch(1);
    private final CountDownLatch closing = new CountDownLatch(1);

    /** The port of a QP of two sends is there when the device is being closed, and there is none for one of three. */
    @Override
    WindowedPort makePort(PortQueuePair qp) {
        if (qp.attributes().maxSendWr() == 2) {
            making.countDown();
            await(closing);
        }
        if (qp.attributes().maxSendWr() == 3) {
            throw new OutOfMemoryError("planted: memory of packets");
        }
        return super.makePort(qp);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(SECONDS, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aQueuePairThatIsBeingMadeWhileItsDeviceIsClosedIsClosedToo() {
        CompletionQueue cq = cq(null);
        Background<Mlx5QueuePair> late = Background.start("late", () ->
                (Mlx5QueuePair) pd.createQp(new QueuePairAttributes(cq, cq).depth(2, 2)));
        await(making);
        device.allocatePd().createQp(new QueuePairAttributes(cq, cq).depth(4, 4)); // of a domain that is ended later
        ports.get(0).atDisconnect = () -> {
            closing.countDown();
            late.join(SECONDS);
        };
        try {
            device.close();
        } finally {
            closing.countDown();
        }
        assertEquals(QueuePairState.ERR, late.join(SECONDS).state());
        assertEquals(List.of("open", "disconnect in ERR", "close"), ports.get(1).calls);
    }

    private long slabs() throws IOException {
        try (Stream<Path> files = Files.list(device.folder())) {
            return files.count();
        }
    }

    @Test
    void aQueuePairForWhosePortThereIsNoMemoryLeavesNothing() throws IOException {
        CompletionQueue cq = cq(null);
        QueuePairAttributes attributes = new QueuePairAttributes(cq, cq).depth(3, 4096);
        assertThrows(OutOfMemoryError.class, () -> pd.createQp(attributes));
        long before = slabs();
        for (int i = 0; i < 500; i++) {
            assertThrows(OutOfMemoryError.class, () -> pd.createQp(attributes));
        }
        assertTrue(slabs() <= before + 1, "slabs: " + before + " became " + slabs());
    }

    /** Starts something on another thread, and returns when that waits for who has the device's monitor. */
    private Background<?> startUntilItWaits(Runnable what) {
        AtomicReference<Thread> thread = new AtomicReference<>();
        Background<?> started = Background.start("other", () -> {
            thread.set(Thread.currentThread());
            what.run();
            return null;
        });
        Deadline.until("it waits", () ->
                thread.get() != null && thread.get().getState() == Thread.State.BLOCKED || started.isDone());
        return started;
    }

    @Test
    void neitherADomainNorACqIsMadeWhileTheDeviceIsClosed() {
        Background<?> domain;
        Background<?> cq;
        synchronized (device) {
            domain = startUntilItWaits(device::allocatePd);
            cq = startUntilItWaits(() -> cq(null));
            device.close();
        }
        refused("device is closed", () -> domain.join(SECONDS));
        refused("device is closed", () -> cq.join(SECONDS));
    }

    @Test
    void aDeviceThatIsClosedLooksAtItsDomainsWhileNobodyEndsOne() {
        Background<?> closer;
        synchronized (device) {
            closer = startUntilItWaits(device::close);
            assertFalse(closer.isDone(), "it looked meanwhile");
        }
        closer.join(SECONDS);
    }

    @Test
    void whatIsAttachedAndConnectedIsTheCallers() {
        try (SoftDevice shm = (SoftDevice) ShmUnderTest.open()) {
            MemoryRegion mr = shm.allocatePd().allocate(64, 0);
            assertEquals(mr.address(), shm.attach(mr.export()).address());
            EventChannel listening = shm.createChannel();
            Listener listener = shm.listen(SharedMemoryFolder.freshAddress(), listening);
            ShmEnd server = new ShmEnd(shm, 4);
            ShmEnd client = new ShmEnd(shm, 4);
            Background<Connection> accepted = Background.start("listener", () -> {
                AtomicReference<ConnectionRequest> request = new AtomicReference<>();
                Deadline.until("who connects", () -> {
                    listening.await(1_000_000);
                    request.set(listener.poll());
                    return request.get() != null;
                });
                return request.get().accept(server.qp, new byte[0]);
            });
            Connection connection =
                    shm.connect(listener.address(), client.qp, new byte[0], client.channel, Deadline.BOUND_NS);
            assertSame(client.qp, connection.qp());
            assertSame(server.qp, accepted.join(SECONDS).qp());
        }
    }

    @Test
    void aDeviceWhoseFolderWasDeletedHasAnotherForTheNextQueue() throws IOException {
        Path old = device.folder();
        try (var files = Files.list(old)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(old);
        cq(null);
        assertNotEquals(old, device.folder());
        assertTrue(Files.exists(device.folder()));
    }
}
