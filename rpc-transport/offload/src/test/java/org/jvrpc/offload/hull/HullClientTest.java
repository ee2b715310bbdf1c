package org.jvrpc.offload.hull;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.VerbsException;

/** An application whose hull answers what the test says: a line for each line. */
final class HullClientTest {

    private final Path path = HullProcess.controlOf(SharedMemoryFolder.freshAddress());
    private final Device owner = Devices.open("shm://any");
    private final Device device = Devices.open("shm://any");
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
    private final CountDownLatch gone = new CountDownLatch(1);
    private ServerSocketChannel server;
    private Thread hull;
    private volatile ControlSocket connection;

    @BeforeEach
    void open() throws IOException {
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(path));
        hull = new Thread(this::answer, "scripted-hull");
        hull.start();
    }

    private void answer() {
        try {
            connection = new ControlSocket(server.accept(), 10_000);
            for (String line = connection.readLine(); line != null; line = connection.readLine()) {
                asked.add(line);
                String answer = answers.poll();
                if (answer != null) {
                    connection.writeLine(answer);
                }
            }
        } catch (IOException e) {
            asked.add("broken");
        }
        asked.add("closed");
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        server.close();
        if (connection != null) {
            connection.close();
        }
        hull.join(Waits.limitNs() / 1_000_000);
        device.close();
        owner.close();
    }

    private HullClient attach() {
        return HullClient.attach(device, path, gone::countDown);
    }

    private HullClient attached() throws InterruptedException {
        byte[] exported = owner.allocatePd().allocate(4096, Access.LOCAL_WRITE).export();
        answers.add("ok " + Base64.getUrlEncoder().encodeToString(exported) + " 7 true shm%3A%2F%2Fkv");
        HullClient client = attach();
        assertEquals("attach " + ProcessHandle.current().pid(), asked());
        return client;
    }

    private String asked() throws InterruptedException {
        String line = asked.poll(Waits.limitNs(), TimeUnit.NANOSECONDS);
        assertTrue(line != null, "nothing was asked");
        return line;
    }

    @Test
    void whoIsAttachedKeepsNoProcessAlive() throws InterruptedException {
        AtomicReference<HullClient> client = new AtomicReference<>();
        Thread main = new Thread(() -> {
            try {
                client.set(attached());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "main of an application");
        main.setDaemon(false); // as of this come those that it makes
        main.start();
        main.join();
        try (HullClient attached = client.get()) {
            assertEquals(7, attached.generation());
            assertEquals(List.of(true), readers().stream().map(Thread::isDaemon).toList());
        }
    }

    private void refused(String why, String answer, Executable request) {
        answers.add(answer);
        String message = assertThrows(VerbsException.class, request).getMessage();
        assertTrue(message.contains("hull at control=" + path + " " + why), message);
    }

    @Test
    void whatTheHullSaysIsToldAndWhatItIsAskedIsALine() throws InterruptedException {
        try (HullClient client = attached()) {
            assertEquals(7, client.generation());
            assertEquals("shm://kv", client.address());
            assertTrue(client.isFormatted());
            assertEquals(4096, client.region().length());
            answers.add("ok");
            client.formatted(false);
            assertFalse(client.isFormatted());
            assertEquals("formatted false", asked());
            answers.add("ok 5 a+b 17 6 c 0");
            assertEquals(List.of(new HostedLookup(5, "a b", 17), new HostedLookup(6, "c", 0)), client.clients());
            assertEquals("clients", asked());
            answers.add("ok true");
            assertTrue(client.withdraw("a b"));
            assertEquals("withdraw a+b", asked());
            answers.add("ok false");
            assertFalse(client.cutOff(6));
            assertEquals("cut 6", asked());
        }
        assertEquals("closed", asked(), "the connection ends with the client");
        assertEquals(1, gone.getCount(), "closing is no loss of the hull");
    }

    @Test
    void anAnswerOfAnotherFormIsARefusalWithWhatItSaid() throws InterruptedException {
        try (HullClient client = attached()) {
            refused("refuses: no such thing", "error no+such+thing", () -> client.withdraw("x"));
            refused("refuses: error", "error", () -> client.withdraw("x"));
            refused("refuses: what true", "what true", () -> client.withdraw("x"));
            refused("refuses: ok true true", "ok true true", () -> client.withdraw("x"));
            refused("refuses: ok", "ok", () -> client.withdraw("x"));
            refused("refuses: ok true", "ok true", () -> client.formatted(false));
            assertTrue(client.isFormatted(), "what was refused is not so");
            answers.add("ok true");
            assertTrue(client.withdraw("x"), "it goes on");
        }
    }

    @Test
    void whoIsNotAttachedIsGoneWithoutALoss() throws InterruptedException {
        refused("refuses: another is", "error another+is", this::attach);
        assertTrue(asked().startsWith("attach "));
        assertEquals("closed", asked());
        awaitNoReader();
        assertEquals(1, gone.getCount(), "it never had the hull");
    }

    @Test
    void whoIsInterruptedBeforeItAsksHasNoHullAnyMore() throws Exception {
        try (HullClient client = attached()) {
            FutureTask<String> ask = new FutureTask<>(() -> {
                Thread.currentThread().interrupt();
                return failing(client);
            });
            start(ask);
            assertInterruptedOnly(client, ask);
        }
    }

    @Test
    void whoIsInterruptedWhileItWaitsForTheAnswerHasNoHullAnyMore() throws Exception {
        try (HullClient client = attached()) {
            FutureTask<String> ask = new FutureTask<>(() -> failing(client));
            Thread asking = start(ask);
            assertEquals("clients", asked());
            Waits.until("it to wait", () -> asking.getState() == Thread.State.TIMED_WAITING);
            asking.interrupt();
            assertInterruptedOnly(client, ask);
        }
    }

    /** A thread of its own, so that no other test hears of the interrupt. */
    private static Thread start(FutureTask<String> ask) {
        Thread thread = new Thread(ask, "asks");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static String failing(HullClient client) {
        String message = assertThrows(VerbsException.class, client::clients).getMessage();
        assertTrue(Thread.currentThread().isInterrupted(), "the interrupt is kept");
        return message;
    }

    private void assertInterruptedOnly(HullClient client, FutureTask<String> ask) throws Exception {
        String message = ask.get(Waits.limitNs(), TimeUnit.NANOSECONDS);
        awaitNoReader();
        assertEquals(1, gone.getCount(), "it was not the hull that ended");
        assertTrue(message.endsWith("control=" + path + " does not answer, or is gone"), message);
        assertThrows(VerbsException.class, client::clients, "a late answer would be of another request");
    }

    private static void awaitNoReader() {
        Waits.until("the end of the reader", () -> readers().isEmpty());
    }

    private static List<Thread> readers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("jvrpc-hull-watch")).toList();
    }

    @Test
    void theEndOfTheHullIsTold() throws Exception {
        try (HullClient client = attached()) {
            connection.close();
            assertTrue(gone.await(Waits.limitNs(), TimeUnit.NANOSECONDS), "the application is not told");
            assertThrows(VerbsException.class, client::clients);
        }
    }

    @Test
    void theMemoryEndsWithTheClient() throws InterruptedException {
        HullClient client = attached();
        client.close();
        client.close();
        assertThrows(VerbsException.class, () -> client.region().buffer(0, 8));
    }

    @Test
    void aHullThatIsNotThereIsNamed() throws IOException, InterruptedException {
        server.close();
        hull.join(Waits.limitNs() / 1_000_000); // until nobody is in accept, which would take one who connects just now
        assertFalse(hull.isAlive(), "somebody listens");
        String message = assertThrows(VerbsException.class, this::attach).getMessage();
        assertTrue(message.contains("no hull at control=" + path), message);
    }

    @Test
    void whoWasNotStartedByAHullIsTold() {
        assertFalse(HullClient.isInHull());
        String message = assertThrows(VerbsException.class, () -> HullClient.attach(device)).getMessage();
        assertTrue(message.contains(HullClient.VARIABLE + " is not set"), message);
    }
}
