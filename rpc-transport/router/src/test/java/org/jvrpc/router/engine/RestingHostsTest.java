package org.jvrpc.router.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.WcStatus;

/** Workers of two hosts on threads of their own, with nothing to do most of the time. */
final class RestingHostsTest {

    private static final int MESSAGES = Party.ENTRIES;
    private static final int BYTES = 100;

    private final TwoHosts hosts = new TwoHosts(false);
    private final List<Thread> threads = List.of(new Thread(hosts.east.worker, "east"),
            new Thread(hosts.west.worker, "west"));
    private Party one;
    private Party other;

    @BeforeEach
    void start() {
        threads.forEach(Thread::start);
        Waits.until("the workers to run", () -> hosts.east.worker.isRunning() && hosts.west.worker.isRunning());
        one = new Party(hosts.east.worker, "one", 1);
        other = new Party(hosts.west.worker, "other", 2);
        hosts.connect(one, other);
    }

    @AfterEach
    void end() throws InterruptedException {
        one.device.end();
        other.device.end();
        hosts.east.worker.close();
        hosts.west.worker.close();
        for (Thread thread : threads) {
            thread.join(Waits.limitNs() / 1_000_000);
        }
        hosts.close();
    }

    private void awaitRest() {
        Waits.until("both workers to sleep", () -> threads.stream()
                .allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING));
    }

    @Test
    void workersWithLanesSleepAndMessagesWakeThem() {
        for (int i = 0; i < MESSAGES; i++) {
            awaitRest();
            int from = i * BYTES;
            one.fill(from, BYTES, i);
            other.receive(from, BYTES);
            one.send(from, BYTES);
            one.ring();
            Waits.until("message " + i, other::hasReceived);
            int cqe = other.expectReceived(WcStatus.SUCCESS);
            assertEquals(BYTES, BigEndian.getInt(other.memory, cqe + Cqe.BYTE_COUNT));
            assertTrue(other.has(from, BYTES, i));
            Waits.until("word of message " + i, one::hasSent);
            one.expectSent(WcStatus.SUCCESS);
        }
    }
}
