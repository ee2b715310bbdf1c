package org.jvrpc.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.verbs.VerbsException;

/** Servers and clients of different users of one host: this process is root's, another one nobody's. */
class OtherUserTest {

    @TempDir
    private static Path classes;
    private static OtherUser nobody;
    private static long uid;

    @TempDir
    private Path folder;
    private final List<RpcPrincipal> callers = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void findTheOtherUser() throws IOException {
        assumeTrue((int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0, "needs root, to be somebody else");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "needs setpriv");
        String[] user = Files.readAllLines(Path.of("/etc/passwd")).stream().map(line -> line.split(":"))
                .filter(parts -> parts[0].equals(OtherUser.NAME)).findAny().orElse(null);
        assumeTrue(user != null, "needs the user nobody");
        uid = Long.parseLong(user[2]);
        open(classes);
        nobody = new OtherUser(classes, user[3]);
    }

    private static void open(Path path) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @BeforeEach
    void openFolder() throws IOException {
        open(folder);
    }

    private Path path() {
        return folder.resolve("s");
    }

    private String address() {
        return "unix://" + path();
    }

    private RpcServer serve(String address) {
        return RpcServer.builder().bind(address).service(Adder.class, Integer::sum).intercept((call, next) -> {
            callers.add(call.principal());
            next.proceed();
        }).start();
    }

    private void giveToNobody(Path path) throws IOException {
        Files.setOwner(path, path.getFileSystem().getUserPrincipalLookupService()
                .lookupPrincipalByName(OtherUser.NAME));
    }

    @Test
    void aSocketIsItsUsersAlone() throws Exception {
        try (RpcServer server = serve(address())) {
            String said = nobody.run("call", server.address());
            assertTrue(said.startsWith("refused: ") && said.contains("ermission denied"), said);
            assertEquals(List.of(), callers);
        }
    }

    @Test
    void whomRootGivesItsSocketToIsKnownAsTheKernelKnowsThem() throws Exception {
        try (RpcServer server = serve(address())) {
            Files.setPosixFilePermissions(path(), PosixFilePermissions.fromString("rwxrwxrwx"));
            assertEquals("sum=5", nobody.run("call", server.address()));
            assertEquals(OtherUser.NAME, callers.get(0).name());
            assertEquals(uid, callers.get(0).uid());
            assertEquals(RpcPrincipal.Kind.PROCESS, callers.get(0).kind());
        }
    }

    @Test
    void aSocketThatSomebodyElsePutInPlaceOfAServersIsNotCalled() throws Exception {
        RpcServer server = serve(address());
        giveToNobody(folder); // as /tmp is, where everybody may put files
        Files.delete(path());
        Process trap = nobody.start("listen", path().toString());
        try {
            assertEquals("listens", trap.inputReader().readLine());
            RpcException e = assertThrows(RpcException.class, () -> RpcClient.connect(address()).close());
            assertTrue(e.getMessage().contains("the other side is user=nobody, this one user=root"), e.getMessage());
            Path link = Files.createSymbolicLink(classes.resolve("link"), path());
            e = assertThrows(RpcException.class, () -> RpcClient.connect("unix://" + link).close());
            assertTrue(e.getMessage().contains("the other side is user=nobody, this one user=root"), e.getMessage());
        } finally {
            trap.destroyForcibly();
            server.close();
        }
    }

    @Test
    void nobodyServesInAFolderThatIsSomebodyElses() throws Exception {
        giveToNobody(folder);
        VerbsException e = assertThrows(VerbsException.class, () -> serve(address()).close());
        assertTrue(e.getMessage().contains("folder=" + folder + " is of user=nobody"), e.getMessage());
        assertEquals("serves " + address(), nobody.run("serve", address()));
    }

    @Test
    void aLinkOfSomebodyElsesIsNotCalled() throws Exception {
        Files.setAttribute(folder, "unix:mode", 01777); // as /tmp is, where everybody may put links
        Path own = Files.setPosixFilePermissions(Files.createDirectory(folder.resolve("own")),
                PosixFilePermissions.fromString("rwxr-xr-x"));
        try (RpcServer server = serve("unix://" + own.resolve("s"))) {
            assertEquals("unix://" + own.resolve("s"), server.address());
            Path link = Files.createSymbolicLink(folder.resolve("link"), own.resolve("s"));
            Files.setAttribute(link, "unix:uid", (int) uid, LinkOption.NOFOLLOW_LINKS);
            RpcException e = assertThrows(RpcException.class, () -> RpcClient.connect("unix://" + link).close());
            assertTrue(e.getMessage().contains("ermission denied") // the kernel's, where it protects links
                    || e.getMessage().contains("link=" + link + " is of user=nobody"), e.getMessage());
            assertEquals(List.of(), callers);
        }
    }

    @Test
    void whoeverHasTheFolderOfARunningServerIsNotCalledThere() throws Exception {
        try (RpcServer server = serve(address())) {
            giveToNobody(folder);
            RpcException e = assertThrows(RpcException.class, () -> RpcClient.connect(server.address()).close());
            assertTrue(e.getMessage().contains("folder=" + folder + " is of user=nobody"), e.getMessage());
        }
    }

    @Test
    void aServerDoesNotFollowALink() throws Exception {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Files.createSymbolicLink(path(), elsewhere.resolve("s"));
        VerbsException e = assertThrows(VerbsException.class, () -> serve(address()).close());
        assertTrue(e.getMessage().contains("is no socket"), e.getMessage());
        assertFalse(Files.exists(elsewhere.resolve("s")));
        assertTrue(Files.isSymbolicLink(path()));
    }

    @Test
    void sharedMemoryIsItsUsersAlone() throws Exception {
        try (RpcServer server = serve("shm://other-user-" + ProcessHandle.current().pid())) {
            try (RpcClient client = RpcClient.connect(server.address())) {
                assertEquals(5, client.stub(Adder.class).add(2, 3));
            }
            String said = nobody.run("call", server.address());
            assertTrue(said.startsWith("refused: "), said);
            assertEquals(List.of("root"), callers.stream().map(RpcPrincipal::name).toList(), said);
        }
    }
}
