package org.jvrpc.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.verbs.VerbsException;

/** The sockets of {@code unix://} in the file system. */
class UnixSocketTest {

    @TempDir
    private Path folder;

    private Path path() {
        return folder.resolve("s");
    }

    private RpcServer serve() {
        return RpcServer.builder().bind("unix://" + path()).service(Adder.class, Integer::sum).start();
    }

    private static void call(RpcServer server) {
        try (RpcClient client = RpcClient.connect(server.address())) {
            assertEquals(5, client.stub(Adder.class).add(2, 3));
        }
    }

    @Test
    void theSocketIsTheUsersAloneAndGoesWithItsServer() throws IOException {
        try (RpcServer server = serve()) {
            assertEquals("unix://" + path(), server.address());
            assertEquals(PosixFilePermissions.fromString("rw-------"), Files.getPosixFilePermissions(path()));
            call(server);
            try (var files = Files.list(folder)) {
                assertEquals(1, files.count(), "where it was born is gone");
            }
        }
        assertFalse(Files.exists(path()));
    }

    @Test
    void aSocketOfSomebodyWhoDiedIsReplaced() throws IOException {
        try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(path()));
        }
        assertTrue(Files.exists(path()));
        try (RpcServer server = serve()) {
            call(server);
        }
    }

    @Test
    void aFileIsNotReplaced() throws IOException {
        Files.writeString(path(), "of value");
        VerbsException e = assertThrows(VerbsException.class, this::serve);
        assertTrue(e.getMessage().contains(path().toString()), e.getMessage());
        assertEquals("of value", Files.readString(path()));
    }

    @Test
    void aPipeIsNotReplaced() throws Exception {
        assertEquals(0, new ProcessBuilder("mkfifo", path().toString()).inheritIO().start().waitFor());
        VerbsException e = assertThrows(VerbsException.class, this::serve);
        assertTrue(e.getMessage().contains(path().toString()), e.getMessage());
        assertTrue(Files.exists(path()));
    }

    @Test
    void aServerThatTakesNobodyHasItsSocket() throws Exception {
        try (ServerSocketChannel busy = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                SocketChannel one = SocketChannel.open(StandardProtocolFamily.UNIX);
                SocketChannel other = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            busy.bind(UnixDomainSocketAddress.of(path()), 1);
            one.connect(UnixDomainSocketAddress.of(path()));
            other.connect(UnixDomainSocketAddress.of(path())); // and a third would wait
            VerbsException e = assertThrows(VerbsException.class,
                    () -> assertTimeoutPreemptively(Duration.ofSeconds(10), this::serve));
            assertTrue(e.getMessage().contains(path().toString()), e.getMessage());
            assertTrue(Files.exists(path()));
        }
    }

    @Test
    void aSocketThatAnotherServerHasByNowStays() throws IOException {
        RpcServer first = serve();
        Files.delete(path());
        try (RpcServer second = serve()) {
            first.close();
            assertTrue(Files.exists(path()));
            call(second);
        }
    }

    @Test
    void whereThereIsNoFolderNobodyListens() {
        VerbsException e = assertThrows(VerbsException.class, () -> RpcServer.builder().bind("unix:///nowhere/at/all")
                .service(Adder.class, Integer::sum).start());
        assertTrue(e.getMessage().contains("/nowhere/at"), e.getMessage());
    }
}
