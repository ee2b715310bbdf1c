package org.jvrpc.router.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.router.TestRouter;
import org.jvrpc.router.map.Rule;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.testing.Processes;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.VerbsException;

/** A tenant's folder that is a file system of its own, which is mounted, used up and unmounted while others call. */
class MountedFolderTest {

    @TempDir
    private Path folder;
    private TestRouter router;
    private RpcServer neighbour;
    private RpcClient caller;
    private Sums neighbours;
    private int mounted;

    @BeforeEach
    void start() {
        router = new TestRouter(folder, "one", "two", "three");
        router.view().apply(new Rule(null, null, 0, 0xffff, true));
        neighbour = serve("three", router.address(2));
        caller = client("two", neighbour.address());
        neighbours = caller.stub(Sums.class);
    }

    @AfterEach
    void stop() {
        try {
            assertEquals(9, neighbours.add(4, 5));
            caller.close();
            neighbour.close();
        } finally {
            router.close();
            while (mounted > 0) {
                unmount();
            }
        }
    }

    private RpcServer serve(String tenant, String address) {
        return RpcServer.builder().bind(address + "?dir=" + router.dir(tenant)).service(Sums.class, (a, b) -> a + b)
                .start();
    }

    private RpcClient client(String tenant, String address) {
        return RpcClient.builder(address.replaceFirst("[?].*", "") + "?dir=" + router.dir(tenant)).connect();
    }

    /** Puts a file system at the first tenant's folder, with its token, and waits for the router's socket there. */
    private void mount(String size) throws IOException {
        Path dir = router.dir("one");
        String token = Files.readString(dir.resolve("token"));
        Object user = Files.getAttribute(dir, "unix:uid");
        assumeTrue(Processes.run("mount", "-t", "tmpfs", "-o", "size=" + size + ",mode=0770,uid=" + user + ",gid="
                + Files.getAttribute(dir, "unix:gid"), "tmpfs", dir.toString()) == 0,
                "mounting a tmpfs is not permitted here");
        mounted++;
        Files.writeString(dir.resolve("token"), token);
        awaitSocket();
    }

    /** As an administrator has to do it: the router has the folder open. */
    private void unmount() {
        mounted--;
        assertEquals(0, Processes.run("umount", "-l", router.dir("one").toString()));
    }

    private void awaitSocket() {
        Waits.until("the router's socket in the folder that is there now", () ->
                Files.exists(router.dir("one").resolve("s")));
    }

    private List<String> unserved() {
        try {
            return router.server().status().tenants().stream().map(one -> one.id() + ": " + one.unserved())
                    .filter(text -> !text.endsWith(": null")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Status status(Sums sums) {
        try {
            return sums.add(20, 3) == 23 ? Status.OK : Status.DATA_LOSS;
        } catch (RpcException e) {
            return e.status();
        }
    }

    @Test
    void aFolderThatIsUnmountedEndsItsTenantsDevicesAloneAndTheNextOneIsServed() throws IOException {
        mount("64m");
        String address = router.address(0);
        try (RpcServer server = serve("one", address); RpcClient client = client("two", address)) {
            Sums sums = client.stub(Sums.class);
            assertEquals(3, sums.add(1, 2));
            unmount();
            Waits.until("calls to be refused", () -> {
                assertEquals(9, neighbours.add(4, 5));
                return status(sums) == Status.UNAVAILABLE;
            });
            awaitSocket(); // in the folder that the file system lay on
            try (RpcServer again = serve("one", address)) {
                Waits.until("calls to be answered again", () -> {
                    assertEquals(9, neighbours.add(4, 5));
                    return status(sums) == Status.OK;
                });
                assertTrue(again.address().startsWith(address));
            }
            assertTrue(server.address().startsWith(address));
        }
    }

    @Test
    void aFileSystemThatIsMountedOverAFolderIsTheFolder() throws IOException {
        try (Device device = router.open("one")) {
            mount("16m");
            Waits.until("the device to be let go of", () -> {
                try {
                    device.createChannel().close();
                    device.allocatePd().allocate(4096, Access.LOCAL_WRITE).close();
                    return false;
                } catch (VerbsException e) {
                    return true;
                }
            });
            router.open("one").close();
            assertEquals(List.of(), unserved());
        }
    }

    @Test
    void aFolderThatIsFullRefusesItsTenantMemoryAndOldConnectionsGoOn() throws IOException {
        mount("8m");
        try (RpcServer server = serve("one", router.address(0)); RpcClient client = client("two", server.address());
                Device device = router.open("one"); ProtectionDomain pd = device.allocatePd()) {
            Sums sums = client.stub(Sums.class);
            VerbsException e = assertThrows(VerbsException.class, () -> pd.allocate(8 << 20, Access.LOCAL_WRITE));
            assertTrue(e.getMessage().contains("no memory: bytes=8388608 in " + router.dir("one")), e::toString);
            Path filler = fill();
            RpcException refused = assertThrows(RpcException.class, () -> client("one", neighbour.address()).close());
            assertEquals(Status.RESOURCE_EXHAUSTED, refused.status(), refused::toString);
            for (int i = 0; i < 100; i++) {
                assertEquals(i + 1, sums.add(i, 1));
            }
            Files.delete(filler);
            client("one", neighbour.address()).close();
        }
    }

    /** Uses up what the first tenant's file system has. */
    private Path fill() throws IOException {
        Path filler = router.dir("one").resolve("filler");
        try (OutputStream out = Files.newOutputStream(filler)) {
            while (true) {
                out.write(new byte[4096]);
            }
        } catch (IOException e) {
            assertEquals(0, filler.toFile().getFreeSpace(), e::toString);
            return filler;
        }
    }
}
