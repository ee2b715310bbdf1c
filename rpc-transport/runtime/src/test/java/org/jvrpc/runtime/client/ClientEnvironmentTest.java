package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.SilentServer;
import org.jvrpc.runtime.connection.ClientCore;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.session.Settings;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Threads;

class ClientEnvironmentTest {

    private static final Duration DEADLINE = Duration.ofHours(1);

    private final AtomicLong aheadNs = new AtomicLong();
    private final Queue<String> threads = new ConcurrentLinkedQueue<>();
    private final Settings settings = new Settings();

    @Test
    void aClientLivesByTheClockAndTheThreadsThatItIsGiven() {
        settings.deadline(DEADLINE);
        settings.environment(new Environment(() -> System.nanoTime() + aheadNs.get(), (task, name) -> {
            threads.add(name);
            return Threads.DAEMONS.make(task, name);
        }));
        try (SilentServer server = new SilentServer(ShmFolder.address());
                ClientCore client = ClientCore.connect(server.address(), settings, List.of())) {
            CompletableFuture<Status> call = Await.start(() -> open(client));
            Await.until("the call to sleep", () -> client.session().unattended() > 0);
            aheadNs.set(DEADLINE.toNanos() + 1);
            assertEquals(Status.DEADLINE_EXCEEDED, Await.join(call));
        }
        assertEquals(1, threads.size(), threads.toString());
        assertTrue(threads.peek().startsWith("jvrpc-client-"), threads.toString());
    }

    /** Asks the server, which does not answer, to open a service; returns how that ends. */
    private static Status open(ClientCore client) {
        try {
            client.channel(ServiceDescriptor.of(Calls.class), CallOptions.DEFAULT);
            return Status.OK;
        } catch (RpcException e) {
            return e.status();
        }
    }
}
