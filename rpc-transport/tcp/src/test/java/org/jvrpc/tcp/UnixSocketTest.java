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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.api.RpcException;
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

    /** Who finds a dead server's socket takes it away, and not that of another who was quicker. */
    @Test
    void ofServersThatStartAtOnceOneHasTheSocket() throws Exception {
        for (int round = 0; round < 20; round++) {
            if (round % 2 == 0) {
                try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                    dead.bind(UnixDomainSocketAddress.of(path()));
                }
            }
            CyclicBarrier start = new CyclicBarrier(2);
            List<CompletableFuture<RpcServer>> both = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                both.add(CompletableFuture.supplyAsync(() -> {
                    try {
                        start.await();
                        return serve();
                    } catch (VerbsException e) {
                        return null; // the other was quicker
                    } catch (InterruptedException | BrokenBarrierException e) {
                        throw new IllegalStateException(e);
                    }
                }, task -> new Thread(task).start()));
            }
            List<RpcServer> servers = both.stream().map(CompletableFuture::join).filter(Objects::nonNull).toList();
            assertEquals(1, servers.size(), "round " + round);
            call(servers.get(0));
            servers.get(0).close();
            assertFalse(Files.exists(path()));
        }
    }

    @Test
    void aClientOfAServerThatTakesNobodyIsNotToldThatNobodyListens() throws Exception {
        try (ServerSocketChannel busy = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                SocketChannel one = SocketChannel.open(StandardProtocolFamily.UNIX);
                SocketChannel other = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            busy.bind(UnixDomainSocketAddress.of(path()), 1);
            one.connect(UnixDomainSocketAddress.of(path()));
            other.connect(UnixDomainSocketAddress.of(path()));
            RpcException e = assertThrows(RpcException.class, () -> RpcClient.builder("unix://" + path())
                    .connectTimeout(Duration.ofMillis(50)).connect());
            assertTrue(e.getMessage().contains("somebody listens and takes nobody in time"), e.getMessage());
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
