package org.jvrpc.offload.lookup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;

/** READs that wait behind a lookup which its host does not take. */
final class SlowHostTest {

    private final Device hostDevice = Devices.open("shm://any");
    private final Device clientDevice = Devices.open("shm://any");
    private final EventChannel channel = clientDevice.createChannel();

    @AfterEach
    void close() {
        clientDevice.close();
        hostDevice.close();
    }

    /** Asks without waiting for the answer. */
    private static Outcome ask(OffloadClient client) {
        return client.hashGet(1, client.header(), client.header(), 1);
    }

    private static boolean isIn(Thread thread, String method) {
        return Arrays.stream(thread.getStackTrace()).anyMatch(frame -> frame.getMethodName().equals(method));
    }

    @Test
    void aReadWaitsUntilTheLookupBeforeItIsTaken() {
        BareHost slow = new BareHost(hostDevice);
        OffloadClient client = slow.connect(clientDevice, channel, Waits.limitNs());
        assertEquals(Outcome.UNFINISHED, ask(client));
        Thread reader = Thread.currentThread();
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> taking = CompletableFuture.runAsync(() -> {
            Waits.until("the READ to be waited for", () -> over.get() || isIn(reader, "complete"));
            slow.take();
        });
        int at = client.read(client.header(), 8);
        over.set(true);
        taking.join();
        assertNotEquals(-1, at);
    }

    @Test
    void aReadIsGivenUpAfterTheTimeThatConnectingMayTake() {
        OffloadClient[] client = new OffloadClient[1];
        Waits.until("a connection in that time", () -> {
            try {
                client[0] = new BareHost(hostDevice).connect(clientDevice, channel, 100_000_000);
                return true;
            } catch (ConnectionException e) {
                return false;
            }
        });
        assertEquals(Outcome.UNFINISHED, ask(client[0]));
        assertEquals(-1, client[0].read(client[0].header(), 8));
        assertFalse(client[0].isBroken(), "its host is there, and slow");
    }
}
