package org.jvrpc.router.tenant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.router.Quota;
import org.jvrpc.router.QuotaKind;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.map.TenantRecord;

/** A tenant is its socket, its user and its token: each alone, and any two, are not enough. */
class AdmissionTest {

    @TempDir
    private Path folder;
    private Ground ground;

    @BeforeEach
    void prepare() throws IOException {
        ground = new Ground(folder);
    }

    @AfterEach
    void end() {
        ground.close();
    }

    static String refused(Refusal refusal, Executable what) {
        RefusedException e = assertThrows(RefusedException.class, what);
        assertEquals(refusal, e.refusal(), e.getMessage());
        return e.getMessage();
    }

    private static void mode(Path path, String mode) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    @Test
    void whoComesByTheSocketAsTheOwnerWithATokenIsLetIn() throws IOException {
        try (ServerSocketChannel door = ground.tenants.listen(Ground.RED);
                SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(ground.home().resolve("s")));
                SocketChannel server = door.accept()) {
            UserPrincipal peer = server.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
            ground.device(Ground.DEVICE);
            Device device = ground.admit(peer,
                    ground.hello(Ground.DEVICE, ground.token.token()));
            assertEquals("10.77.0.5", device.addresses().get(0).text());
            assertEquals(1, ground.tenants.quotas(Ground.RED).has(QuotaKind.DEVICES));
            device.leave();
            device.leave();
            assertEquals(0, ground.tenants.quotas(Ground.RED).has(QuotaKind.DEVICES));
            assertEquals("rw-rw-rw-", PosixFilePermissions.toString(
                    Files.getPosixFilePermissions(ground.home().resolve("s"))));
            assertEquals("folder=d-1-a token=t1", device.description());
            assertTrue(client.isConnected());
        }
        assertEquals(Set.of("d-1-a", "s"), Set.of(ground.home().toFile().list()));
    }

    @Test
    void anotherUserIsRefusedWhateverTokenItHas() throws IOException {
        ground.tenants.listen(Ground.RED).close();
        ground.device(Ground.DEVICE);
        UserPrincipal other = folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("4711");
        String why = refused(Refusal.WRONG_USER, () -> ground.admit(other,
                ground.hello(Ground.DEVICE, ground.token.token())));
        assertTrue(why.contains("who came is user=4711"), why);
        refused(Refusal.WRONG_USER, () -> ground.admit(null,
                ground.hello(Ground.DEVICE, ground.token.token())));
    }

    @Test
    void theKernelTellsWhoComesByTheSocketOfAnotherUsersFolder() throws IOException {
        assumeTrue(Ground.user() == 0, "only root can give a folder away");
        Files.setAttribute(ground.home(), "unix:uid", 70001);
        ground.red = new TenantRecord(Ground.RED, 70001, ground.red.addresses(), Quota.DEFAULT, ground.red.tokens(),
                false, 1);
        Files.setAttribute(ground.device(Ground.DEVICE), "unix:uid", 70001);
        Files.setAttribute(ground.home().resolve(Ground.DEVICE + "/lock"), "unix:uid", 70001);
        try (ServerSocketChannel door = ground.tenants.listen(Ground.RED);
                SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(ground.home().resolve("s")));
                SocketChannel server = door.accept()) {
            UserPrincipal root = server.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
            refused(Refusal.WRONG_USER, () -> ground.admit(root,
                    ground.hello(Ground.DEVICE, ground.token.token())));
            assertTrue(client.isConnected());
        }
        UserPrincipal owner = Files.getOwner(ground.home());
        ground.admit(owner, ground.hello(Ground.DEVICE, ground.token.token())).leave();
    }

    @Test
    void aWrongTokenIsRefusedAndNeverWritten() throws IOException {
        ground.tenants.listen(Ground.RED).close();
        ground.device(Ground.DEVICE);
        String guess = Tokens.make(new SecureRandom(), "x", 0).token();
        for (String wrong : List.of(guess, "", ground.token.token() + "x", "y".repeat(256))) {
            String why = refused(Refusal.TOKEN_WRONG, () -> ground.admit(Ground.self(),
                    ground.hello(Ground.DEVICE, wrong)));
            assertFalse(!wrong.isEmpty() && why.contains(wrong), why);
        }
        assertEquals(0, ground.tenants.quotas(Ground.RED).has(QuotaKind.DEVICES));
    }

    @Test
    void aTokenEndsWithTheMillisecondThatItSays() throws IOException {
        ground.tenants.listen(Ground.RED).close();
        ground.device(Ground.DEVICE);
        ground.nowMs.addAndGet(1_000);
        ground.admit().leave();
        ground.nowMs.addAndGet(1);
        String why = refused(Refusal.TOKEN_EXPIRED, ground::admit);
        assertTrue(why.contains("token=t1 ended at 2027-01-01T00:00:01Z, now it is 2027-01-01T00:00:01.001Z"), why);
        assertFalse(why.contains(ground.token.token()), why);
    }

    @Test
    void aRevokedOrUnknownTenantIsRefused() throws IOException {
        ground.tenants.listen(Ground.RED).close();
        ground.device(Ground.DEVICE);
        ground.record(Ground.QUOTA, true);
        refused(Refusal.REVOKED, ground::admit);
        ground.red = null;
        refused(Refusal.NO_TENANT, ground::admit);
        refused(Refusal.NO_TENANT, () -> ground.tenants.listen(new TenantId("blue")));
    }

    @Test
    void aFolderOfAnotherUserIsNoTenants() {
        ground.red = new TenantRecord(Ground.RED, Ground.user() + 1, ground.red.addresses(), Quota.DEFAULT, List.of(),
                false, 1);
        refused(Refusal.WRONG_USER, () -> ground.tenants.listen(Ground.RED));
        ground.red = new TenantRecord(Ground.RED, 65_534, ground.red.addresses(), Quota.DEFAULT, List.of(), false, 1);
        assertTrue(refused(Refusal.WRONG_USER, () -> ground.tenants.listen(Ground.RED)).contains("name spaces"));
    }

    @Test
    void aRecordWithAnotherUserRefusesWhoWasLetInBefore() throws IOException {
        ground.tenants.listen(Ground.RED).close();
        ground.device(Ground.DEVICE);
        ground.red = new TenantRecord(Ground.RED, Ground.user() + 1, ground.red.addresses(), Quota.DEFAULT,
                ground.red.tokens(), false, 2);
        refused(Refusal.WRONG_USER, ground::admit);
    }

    @Test
    void aFolderThatOthersMayEnterIsNoWall() throws IOException {
        mode(ground.home(), "rwxrwx--x");
        assertTrue(refused(Refusal.FOLDER, () -> ground.tenants.listen(Ground.RED)).contains("mode=0771"));
        mode(ground.home(), "rwxrwx---");
        mode(ground.parent, "rwxrwxr-x");
        assertTrue(refused(Refusal.FOLDER, () -> TenantFolders.open(ground.parent)).contains("mode=0775"));
    }

    @Test
    void aLinkInPlaceOfATenantsFolderIsNotFollowed() throws IOException {
        Path elsewhere = Files.move(ground.home(), folder.resolve("elsewhere"));
        Files.createSymbolicLink(ground.home(), elsewhere);
        refused(Refusal.FOLDER, () -> ground.tenants.listen(Ground.RED));
    }

    @Test
    void aFolderThatIsExchangedIsSeenAndTheOldOneStaysOpen() throws IOException {
        ground.device(Ground.DEVICE);
        ground.tenants.listen(Ground.RED).close();
        assertEquals(List.of(), ground.tenants.moved());
        Files.move(ground.home(), ground.parent.resolve("old"));
        Files.createDirectory(ground.home());
        assertEquals(List.of(Ground.RED), ground.tenants.moved());
        ground.admit().leave(); // which is found in the folder that was opened
    }

    @Test
    void anOldSocketAndALinkInItsPlaceAreReplacedAndNothingElseIsTouched() throws IOException {
        Path victim = Files.createFile(folder.resolve("victim"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.createSymbolicLink(ground.home().resolve("s"), victim);
        ServerSocketChannel door = ground.tenants.listen(Ground.RED);
        door.close();
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(victim)));
        assertFalse(Files.isSymbolicLink(ground.home().resolve("s")));
        ground.tenants.remove(Ground.RED);
        assertFalse(Files.exists(ground.home().resolve("s")));
        Files.createDirectories(ground.home().resolve("s/x"));
        refused(Refusal.FOLDER, () -> ground.tenants.listen(Ground.RED));
        assertEquals(List.of("s"), List.of(ground.home().toFile().list()));
    }

    @Test
    void onlyATenantsNameIsWaitedFor() throws IOException {
        Files.createDirectory(ground.parent.resolve("Green"));
        Files.createDirectory(ground.parent.resolve("unknown"));
        assertEquals(List.of(Ground.RED), ground.tenants.waiting());
        ground.tenants.listen(Ground.RED).close();
        assertEquals(List.of(), ground.tenants.waiting());
        refused(Refusal.BUSY, () -> ground.tenants.listen(Ground.RED));
    }

    @Test
    void moreDevicesThanTheQuotaAreRefusedWithItsNumbers() throws IOException {
        ground.tenants.listen(Ground.RED).close();
        ground.device(Ground.DEVICE);
        Device first = ground.admit();
        ground.admit();
        String why = refused(Refusal.QUOTA, ground::admit);
        assertTrue(why.contains("tenant=red quota=DEVICES has=2 wants=1 limit=2"), why);
        ground.record(new Quota(1, 4, 4, 4, 1, 4, 4, 0, 0, 0, 10), false);
        ground.tenants.changed(ground.red);
        first.leave();
        refused(Refusal.QUOTA, ground::admit);
    }

    @Test
    void aDeviceNameThatLeadsElsewhereIsNone() throws IOException {
        ground.tenants.listen(Ground.RED).close();
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Files.createFile(outside.resolve("lock"));
        Files.createSymbolicLink(ground.home().resolve("d-1-b"), outside);
        for (String name : List.of("..", ".", "", "d-1-b", "d-1-a/../d-1-b", "/tmp", "d-1-a\n", "d-9-9")) {
            refused(Refusal.FOLDER, () -> ground.admit(Ground.self(),
                    ground.hello(name, ground.token.token())));
        }
        assertEquals(0, ground.tenants.quotas(Ground.RED).has(QuotaKind.DEVICES));
    }
}
