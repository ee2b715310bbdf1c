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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

    private void mode(String mode) throws IOException {
        Files.setAttribute(folder, "unix:mode", Integer.parseInt(mode, 8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0777", "0770", "0757", "2775"})
    void nobodyServesNorCallsWhereOthersMayPutAnotherSocket(String mode) throws IOException {
        try (RpcServer server = serve()) {
            mode(mode);
            String why = "folder=" + folder + " of user=" + Files.getOwner(folder).getName() + " has mode=" + mode;
            RpcException called = assertThrows(RpcException.class, () -> RpcClient.connect(server.address()).close());
            assertTrue(called.getMessage().contains(why), called.getMessage());
            String other = "unix://" + folder.resolve("other");
            VerbsException served = assertThrows(VerbsException.class, () -> RpcServer.builder().bind(other)
                    .service(Adder.class, Integer::sum).start().close());
            assertTrue(served.getMessage().contains(why) && served.getMessage().contains("chmod go-w"),
                    served.getMessage());
            mode("1777"); // as /tmp has
            call(server);
            RpcServer.builder().bind(other).service(Adder.class, Integer::sum).start().close();
        }
        try (var files = Files.list(folder)) {
            assertEquals(0, files.count(), "nothing is left");
        }
    }

    /** Makes a folder to which nobody else may write, whatever the umask is. */
    private Path own(String name) throws IOException {
        return Files.setPosixFilePermissions(Files.createDirectories(folder.resolve(name)),
                PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void aLinkLeadsAClientToNoFolderWhereOthersMayPutAnotherSocket() throws IOException {
        Path open = own("open");
        try (RpcServer server = RpcServer.builder().bind("unix://" + open.resolve("s"))
                .service(Adder.class, Integer::sum).start()) {
            call(server);
            String link = "unix://" + Files.createSymbolicLink(path(), open.resolve("s"));
            try (RpcClient client = RpcClient.connect(link)) {
                assertEquals(5, client.stub(Adder.class).add(2, 3));
            }
            Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
            RpcException e = assertThrows(RpcException.class, () -> RpcClient.connect(link).close());
            assertTrue(e.getMessage().contains("folder=" + open + " of user="), e.getMessage());
        }
    }

    @Test
    void aServersSocketIsWhereTheLinkToItsFolderLedWhenItBegan() throws IOException {
        Path first = own("first");
        Path second = own("second");
        Path link = Files.createSymbolicLink(folder.resolve("link"), first);
        try (RpcServer server = RpcServer.builder().bind("unix://" + link.resolve("s"))
                .service(Adder.class, Integer::sum).start()) {
            call(server);
            Files.delete(link);
            Files.createSymbolicLink(link, second);
            Files.createFile(second.resolve("s"));
        }
        assertFalse(Files.exists(first.resolve("s")));
        assertTrue(Files.exists(second.resolve("s")), "it is none of the server's");
    }

    /** Returns a path of so many bytes, whose folder is all but two of them. */
    private Path path(int bytes) throws IOException {
        int left = bytes - folder.toString().length() - "/".length() - "/s".length();
        return own("d".repeat(left)).resolve("s");
    }

    @Test
    void thePathMayBeAsLongAsTheJdkTakesAndIsRefusedWithItsLengthBeyond() throws IOException {
        String longest = "unix://" + path(106);
        try (RpcServer server = RpcServer.builder().bind(longest).service(Adder.class, Integer::sum).start()) {
            assertEquals(longest, server.address());
            call(server);
        }
        String longer = "unix://" + path(107);
        IllegalArgumentException served = assertThrows(IllegalArgumentException.class, () -> RpcServer.builder()
                .bind(longer).service(Adder.class, Integer::sum).start().close());
        assertTrue(served.getMessage().contains("bytes=107, limit=106"), served.getMessage());
        IllegalArgumentException called = assertThrows(IllegalArgumentException.class,
                () -> RpcClient.connect(longer).close());
        assertTrue(called.getMessage().contains("bytes=107, limit=106"), called.getMessage());
    }

    @Test
    void aLinkToItsFolderServesWhereThePathIsTooLong() throws IOException {
        Path deep = own("d".repeat(100) + "/" + "e".repeat(100));
        Path link = Files.createSymbolicLink(folder.resolve("link"), deep);
        try (RpcServer server = RpcServer.builder().bind("unix://" + link.resolve("s"))
                .service(Adder.class, Integer::sum).start()) {
            call(server);
            assertTrue(Files.exists(deep.resolve("s")));
        }
        assertFalse(Files.exists(deep.resolve("s")));
    }
}
