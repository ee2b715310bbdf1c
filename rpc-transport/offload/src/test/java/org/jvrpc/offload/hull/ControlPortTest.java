package org.jvrpc.offload.hull;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.testing.Holdings;
import org.jvrpc.testing.Waits;

/** The socket of a hull, and who may be there. Nobody asks what a desk would have to know. */
final class ControlPortTest {

    private static final int MOST = 64;

    @TempDir
    private Path folder;

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    /** Returns whether a hull answers, which it does not to one more than it takes. */
    private static boolean answers(ControlSocket socket) {
        try {
            socket.writeLine("what?");
            return "error unknown+request%3A+what%3F".equals(socket.readLine());
        } catch (IOException e) {
            return false;
        }
    }

    private static ControlSocket connect(Path path) {
        try {
            return ControlSocket.connect(path, 1000);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String refusal(Path path) {
        return assertThrows(IOException.class, () -> ControlPort.open(path, null)).getMessage();
    }

    private static List<Thread> listeners() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("jvrpc-hull-control")).toList();
    }

    @Test
    void onlyItsUserMayOpenTheSocketAndItsFolder() throws IOException {
        Path path = folder.resolve("new").resolve("s");
        try (ControlPort port = ControlPort.open(path, null)) {
            assertEquals(path, port.path());
            assertEquals("rw-------", mode(path));
            assertEquals("rwx------", mode(path.getParent()));
        }
    }

    @Test
    void whoListensKeepsNoProcessAlive() throws Exception {
        FutureTask<ControlPort> opening = new FutureTask<>(() -> ControlPort.open(folder.resolve("s"), null));
        Thread main = new Thread(opening, "main of a hull");
        main.setDaemon(false); // as of this come those that it makes
        main.start();
        try (ControlPort port = opening.get()) {
            assertEquals(List.of(), listeners().stream().filter(thread -> !thread.isDaemon()).toList(), port::toString);
        }
    }

    @Test
    void whenItEndsItsClientsAreToldAndItsFileIsGone() throws IOException {
        Path path = folder.resolve("s");
        ControlPort port = ControlPort.open(path, null);
        try (ControlSocket client = connect(path)) {
            assertTrue(answers(client));
            port.close();
            assertFalse(answers(client));
        }
        assertFalse(Files.exists(path));
        Waits.until("the end of the listener", () -> listeners().isEmpty());
        port.close();
    }

    /** It was accepted before the end, and is taken behind it. */
    @Test
    void aConnectionThatComesAtTheVeryEndIsClosed() throws IOException {
        Path path = folder.resolve("s");
        ControlPort port = ControlPort.open(path, null);
        port.close();
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                .bind(UnixDomainSocketAddress.of(path)); ControlSocket client = connect(path)) {
            port.take(server.accept());
            assertFalse(answers(client));
        }
    }

    @Test
    void theSocketOfADeadHullIsTakenAndThatOfALivingOneIsNot() throws IOException {
        Path path = folder.resolve("s");
        try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(path));
        }
        try (ControlPort port = ControlPort.open(path, null); ControlSocket client = connect(port.path())) {
            assertTrue(answers(client));
            for (int i = 0; i <= MOST; i++) {
                assertEquals("control=" + path + " is in use by a living hull", refusal(path));
            }
            assertTrue(answers(client), "the living one goes on");
            try (ControlSocket another = connect(path)) {
                assertTrue(answers(another), "who asked whether it lives has left");
            }
        }
    }

    @Test
    void aFileThatIsNoSocketIsLeftAsItIs() throws IOException {
        Path path = Files.writeString(folder.resolve("data"), "dear");
        assertEquals("control=" + path + " is there, and no socket", refusal(path));
        assertEquals("dear", Files.readString(path));
    }

    @Test
    void aSocketThatCannotBeMadeIsNamed() throws IOException {
        Path path = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("nowhere"));
        assertTrue(refusal(path).startsWith("control=" + path + ": "), () -> refusal(path));
        int before = Holdings.now().descriptors();
        for (int i = 0; i < 50; i++) {
            refusal(path);
        }
        int left = Holdings.now().descriptors() - before;
        assertTrue(left < 50, "a socket of each is left: " + left);
    }

    @Test
    void oneMoreThanItTakesIsSentAwayUntilAnotherHasLeft() throws IOException {
        Path path = folder.resolve("s");
        List<ControlSocket> clients = new ArrayList<>();
        try (ControlPort port = ControlPort.open(path, null)) {
            for (int i = 0; i < MOST; i++) {
                clients.add(connect(port.path()));
                assertTrue(answers(clients.get(i)), "client " + i);
            }
            try (ControlSocket more = connect(path)) {
                assertFalse(answers(more), "one more than it takes");
            }
            clients.remove(0).close();
            Waits.until("room for another", () -> {
                ControlSocket another = connect(path);
                clients.add(another);
                return answers(another);
            });
        } finally {
            clients.forEach(ControlSocket::close);
        }
    }

    @Test
    void aHullThatIsNotToldHasItsSocketInAFolderOfItsUser() throws IOException {
        String before = System.setProperty("java.io.tmpdir", folder.toString());
        try {
            Path own = folder.resolve("jvrpc-hull-" + System.getProperty("user.name"));
            Path path = ControlPort.defaultPath("shm://a-b/c:d_e.f");
            assertEquals(own.resolve("a-b_c_d_e.f.control"), path);
            ControlPort.open(path, null).close();
            assertEquals("rwx------", mode(own));
            Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxrwxrwx"));
            assertEquals("folder=" + own + " must have mode 0700, has rwxrwxrwx", refusal(path));
            Path chosen = Files.createDirectory(folder.resolve("chosen"));
            Files.setPosixFilePermissions(chosen, PosixFilePermissions.fromString("rwxr-xr-x"));
            ControlPort.open(chosen.resolve("s"), null).close(); // who chooses a folder knows who else may be there
        } finally {
            System.setProperty("java.io.tmpdir", before);
        }
    }
}
