package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** Devices that send packets, closed after each test, and what tests do with them. */
abstract class RoceEnds {

    static final long TIMEOUT_NS = 30_000_000_000L;
    static final byte[] NONE = {};

    private final List<Device> devices = new ArrayList<>();

    Device open(String address) {
        SharedMemoryFolder.path(); // fails where it would be the user's own folder
        Device device = Devices.open(address);
        devices.add(device);
        return device;
    }

    @AfterEach
    void closeAll() {
        devices.forEach(Device::close);
    }

    static CompletableFuture<Connection> connecting(Device device, String address, ShmEnd end) {
        return CompletableFuture.supplyAsync(
                () -> device.connect(address, end.qp, NONE, end.channel, TIMEOUT_NS));
    }

    static ConnectionRequest request(Listener listener) {
        ConnectionRequest[] found = {null};
        Waits.until("a request", () -> (found[0] = listener.poll()) != null);
        return found[0];
    }

    /** Returns what connecting throws. */
    static RuntimeException failure(CompletableFuture<Connection> connecting) {
        try {
            connecting.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException | CompletionException e) {
            return (RuntimeException) e.getCause();
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
        throw new AssertionError("it is connected");
    }

    /** Sends a message of 8 bytes. */
    static void exercise(ShmEnd from, ShmEnd to, long value) {
        WorkCompletion wc = new WorkCompletion();
        from.mr.buffer(0, 8).putLong(0, value);
        assertEquals(1, to.qp.prepareReceive(ReceiveRequest.of(7, to.sge(64, 8))).execute());
        assertEquals(1, from.qp.prepareSend(SendRequest.send(1, from.sge(0, 8)).signalled()).execute());
        Waits.until("the message", () -> to.receiveCq.poll(wc));
        assertEquals(WcStatus.SUCCESS, wc.status());
        assertEquals(value, to.mr.buffer(64, 8).getLong(0));
        Waits.until("its completion", () -> from.sendCq.poll(wc));
        assertTrue(wc.status() == WcStatus.SUCCESS, wc.status().toString());
    }
}
