package org.jvrpc.tools.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The checks on trees of files that look like hosts. */
final class HostChecksTest {

    private static final String NO_RIGHTS = "0000000000000000";
    private static final String IPV4 = "0000:0000:0000:0000:0000:ffff:0a09:0001";
    private static final String LINK_LOCAL = "fe80:0000:0000:0000:0011:22ff:fe33:4455";

    @TempDir
    private Path root;

    private FakeHost fake() {
        return new FakeHost(root);
    }

    private static Finding of(List<Finding> findings, String check) {
        return findings.stream().filter(finding -> finding.check().equals(check)).findFirst()
                .orElseThrow(() -> new AssertionError("no check " + check + " among " + findings));
    }

    private static void assertSays(Finding finding, Mark mark, String text, String cure) {
        assertEquals(mark, finding.mark(), finding::toString);
        assertTrue(finding.text().contains(text), finding::toString);
        assertTrue(finding.cure().contains(cure), finding::toString);
    }

    @Test
    void aKernelWithoutModulesSaysWhereTheyCouldBeHad() {
        assertSays(of(KernelCheck.check(fake().host()), "kernel"), Mark.FAIL, "ib_uverbs is not loaded",
                "linux-modules-extra-" + FakeHost.KERNEL);
        assertSays(of(DeviceCheck.check(fake().host()), "devices"), Mark.FAIL, "no RDMA device", "line on the kernel");
    }

    @Test
    void aCloudKernelIsToldFromOthers() {
        assertSays(of(KernelCheck.check(fake().host("6.1.0-37-cloud-amd64")), "kernel"), Mark.FAIL, "cloud",
                "linux-image-amd64");
    }

    @Test
    void aKernelWhoseModulesAreNotLoadedIsCuredByModprobe() {
        FakeHost fake = fake().modules("ib_uverbs", "rdma_rxe");
        assertSays(of(KernelCheck.check(fake.host()), "kernel"), Mark.FAIL, "not loaded", "modprobe ib_uverbs");
    }

    @Test
    void aHostWithoutDeviceIsToldHowToMakeOneOverANetworkDeviceThatIsUp() {
        FakeHost fake = fake().modules("ib_uverbs", "rdma_rxe")
                .file("/sys/class/net/lo/operstate", "up\n")
                .file("/sys/class/net/eth0/operstate", "down\n")
                .file("/sys/class/net/eth1/operstate", "up\n");
        assertSays(of(DeviceCheck.check(fake.host()), "devices"), Mark.FAIL, "no RDMA device",
                "modprobe rdma_rxe; rdma link add rxe0 type rxe netdev eth1");
    }

    @Test
    void aSoftwareDeviceIsDrivenFromJavaAndItsPathMtuFollowsFromTheNetworkDevices() {
        FakeHost fake = fake().rxe("rxe0", "4: ACTIVE").gid("rxe0", 0, LINK_LOCAL, "RoCE v2")
                .gid("rxe0", 1, IPV4, "RoCE v2").gid("rxe0", 2, "0000:0000:0000:0000:0000:0000:0000:0000", "");
        List<Finding> found = DeviceCheck.check(fake.host());
        assertSays(of(found, "rxe0"), Mark.OK, "driver rxe, user driver in Java", "");
        assertSays(of(found, "rxe0/1"), Mark.OK, "ACTIVE, Ethernet, 2.5 Gb/sec (1X SDR), on v0 with MTU 1500: path MTU"
                + " 1024", "");
        assertEquals("0 " + LINK_LOCAL + " RoCE v2 v0; 1 10.9.0.1 RoCE v2 v0", of(found, "rxe0/1 GIDs").text());
        assertEquals("1", GidIndex.of(fake.host(), "rxe0"));
    }

    @ParameterizedTest
    @CsvSource({"9000, path MTU 4096", "1500, path MTU 1024", "4200, path MTU 4096", "300, path MTU too small"})
    void pathMtuIsTheLargestPowerOfTwoThatFitsWithHeaders(String mtu, String expected) {
        FakeHost fake = fake().rxe("rxe0", "4: ACTIVE").file("/sys/class/net/v0/mtu", mtu);
        assertSays(of(DeviceCheck.check(fake.host()), "rxe0/1"), Mark.OK, expected, "");
    }

    @Test
    void aPortThatIsDownIsCuredByBringingItsNetworkDeviceUp() {
        assertSays(of(DeviceCheck.check(fake().rxe("rxe0", "1: DOWN").host()), "rxe0/1"), Mark.FAIL, "DOWN",
                "ip link set v0 up");
    }

    @Test
    void anInfinibandPortThatIsDownNeedsACableAndASubnetManager() {
        FakeHost fake = fake().card("mlx5_0", "2: INIT", "InfiniBand").gid("mlx5_0", 0, LINK_LOCAL, "IB/RoCE v1");
        List<Finding> found = DeviceCheck.check(fake.host());
        assertSays(of(found, "mlx5_0/1"), Mark.FAIL, "INIT, InfiniBand", "subnet manager");
        assertSays(of(found, "mlx5_0"), Mark.OK, "driver mlx5, user driver in Java, no native call", "");
        assertTrue(of(found, "mlx5_0").text().endsWith("fw 16.35.4030"));
        assertEquals(Mark.OK, of(found, "mlx5_0/1 GIDs").mark(), "RoCE v2 is a matter of Ethernet");
    }

    @Test
    void otherDevicesAreDrivenByLibibverbs() {
        FakeHost fake = fake().device("siw0", "4: ACTIVE", "Ethernet")
                .file("/sys/class/infiniband/siw0/node_type", "4: RNIC\n");
        assertSays(of(DeviceCheck.check(fake.host()), "siw0"), Mark.OK, "driver siw, generic driver", "");
    }

    @Test
    void aPortWithLinkLocalAddressesOnlyNeedsAnotherAddress() {
        FakeHost fake = fake().rxe("rxe0", "4: ACTIVE").gid("rxe0", 0, LINK_LOCAL, "RoCE v2");
        assertSays(of(DeviceCheck.check(fake.host()), "rxe0/1 GIDs"), Mark.WARN, "link-local", "ip addr add");
        assertEquals(null, GidIndex.of(fake.host(), "rxe0"));
    }

    @Test
    void deviceFilesThatCanBeOpenedAreFine() {
        FakeHost fake = fake().uverbs("rxe0").file("/dev/infiniband/uverbs0", "").file("/dev/infiniband/rdma_cm", "");
        List<Finding> found = KernelCheck.check(fake.host());
        assertSays(of(found, "kernel"), Mark.OK, "ABI 6", "");
        assertSays(of(found, "/dev/infiniband/uverbs0"), Mark.OK, "device rxe0", "");
        assertSays(of(found, "/dev/infiniband/rdma_cm"), Mark.OK, "connection management", "");
    }

    @Test
    void aDeviceFileWithoutRightsIsNamedWithItsRightsAndARule() throws IOException {
        FakeHost fake = fake().uverbs("rxe0").file("/dev/infiniband/uverbs0", "").file("/dev/infiniband/rdma_cm", "")
                .refuse("/dev/infiniband/uverbs0", "Permission denied");
        Files.setPosixFilePermissions(root.resolve("dev/infiniband/uverbs0"),
                PosixFilePermissions.fromString("rw-------"));
        assertSays(of(KernelCheck.check(fake.host()), "/dev/infiniband/uverbs0"), Mark.FAIL,
                "cannot be opened by ada (Permission denied): rw-------", "udev rule");
    }

    @Test
    void aDeviceFileOfAGroupIsCuredByJoiningIt() throws IOException {
        FakeHost fake = fake().uverbs("rxe0").file("/dev/infiniband/uverbs0", "")
                .refuse("/dev/infiniband/uverbs0", "Permission denied");
        Path file = root.resolve("dev/infiniband/uverbs0");
        try {
            Files.getFileAttributeView(file, PosixFileAttributeView.class).setGroup(
                    file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName("users"));
        } catch (IOException e) {
            assumeTrue(false, "this user cannot give a file to the group users: " + e);
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));
        assertSays(of(KernelCheck.check(fake.host()), "/dev/infiniband/uverbs0"), Mark.FAIL, "users",
                "usermod -aG users ada");
    }

    @Test
    void aDeviceFileThatIsMissingPointsToTheContainer() {
        FakeHost fake = fake().uverbs("rxe0");
        List<Finding> found = KernelCheck.check(fake.host());
        assertSays(of(found, "/dev/infiniband/uverbs0"), Mark.FAIL, "is missing, though the kernel has it",
                "docker: --device=/dev/infiniband/uverbs0");
        assertSays(of(found, "/dev/infiniband/rdma_cm"), Mark.FAIL, "is missing", "--device=/dev/infiniband/rdma_cm");
    }

    @Test
    void connectionManagementWithoutItsModuleIsCuredByModprobe() {
        FakeHost fake = fake().file("/sys/class/infiniband_verbs/abi_version", "6\n");
        assertSays(of(KernelCheck.check(fake.host()), "/dev/infiniband/rdma_cm"), Mark.FAIL, "not loaded",
                "modprobe rdma_ucm");
    }

    @ParameterizedTest
    @CsvSource({"65536, 65536, FAIL, soft 64 KiB", "8388608, unlimited, WARN, 'soft 8192 KiB, hard unlimited'",
        "unlimited, unlimited, OK, soft unlimited", "1073741824, 1073741824, OK, soft 1048576 KiB"})
    void aLimitOfLockedMemoryNamesAllThreeCuresWhenItIsLow(String soft, String hard, Mark mark, String text) {
        Finding found = MemlockCheck.check(fake().memlock(soft, hard, NO_RIGHTS).host()).get(0);
        assertSays(found, mark, text, "");
        for (String cure : List.of("/etc/security/limits.d", "LimitMEMLOCK", "docker: --ulimit memlock=-1")) {
            assertEquals(mark != Mark.OK, found.cure().contains(cure), found::toString);
        }
    }

    @Test
    void theLimitDoesNotCountForWhoMayLockMemory() {
        assertSays(MemlockCheck.check(fake().memlock("65536", "65536", "000001ffffffffff").host()).get(0), Mark.OK,
                "CAP_IPC_LOCK", "");
    }

    @Test
    void anUnknownLimitIsSaidToBeUnknown() {
        assertEquals(Mark.WARN, MemlockCheck.check(fake().host()).get(0).mark());
    }

    @Test
    void missingLibrariesNameTheirPackages() {
        List<Finding> found = LibraryCheck.check(fake().host());
        assertSays(of(found, "libibverbs"), Mark.FAIL, "libibverbs.so.1", "apt-get install libibverbs1");
        assertSays(of(found, "librdmacm"), Mark.FAIL, "librdmacm.so.1", "apt-get install librdmacm1");
        assertEquals(2, found.size(), "without the library, its providers do not matter");
    }

    @Test
    void theRealNameOfALibraryTellsItsVersion() {
        FakeHost fake = fake().file("/usr/lib64/libibverbs.so.1.14.44.0", "")
                .link("/usr/lib64/libibverbs.so.1", "libibverbs.so.1.14.44.0")
                .file("/usr/lib64/libibverbs/librxe-rdmav34.so", "")
                .file("/usr/lib64/libibverbs/libmlx5-rdmav34.so", "");
        List<Finding> found = LibraryCheck.check(fake.host());
        assertSays(of(found, "libibverbs"), Mark.OK, "/usr/lib64/libibverbs.so.1.14.44.0", "");
        assertSays(of(found, "providers"), Mark.OK, "mlx5 rxe", "");
    }

    @Test
    void aLibraryOfAnotherFolderIsFoundOnceItIsLoaded() {
        FakeHost fake = fake().file("/proc/self/maps",
                "7f00-7f01 r-xp 00000000 fd:00 1 /opt/ofed/lib/libibverbs.so.1.14.44.0\n");
        assertSays(of(LibraryCheck.check(fake.host()), "libibverbs"), Mark.OK, "/opt/ofed/lib/libibverbs.so.1", "");
        assertSays(of(LibraryCheck.check(fake.host()), "providers"), Mark.WARN, "none", "ibverbs-providers");
    }

    @Test
    void sharedMemoryThatIsMissingIsReplacedByTheFolderForTemporaryFiles() {
        String chosen = System.clearProperty("jvrpc.shm.dir"); // tests of routers in this JVM choose one
        try {
            assertSays(ShmCheck.check(fake().host()).get(0), Mark.WARN, "is missing", "mount -t tmpfs");
            assertFalse(ShmCheck.check(fake().folder("/dev/shm").host()).get(0).failed());
        } finally {
            if (chosen != null) {
                System.setProperty("jvrpc.shm.dir", chosen);
            }
        }
    }

    @Test
    void newJdksAreAskedForNativeAccess() {
        assertTrue(JdkCheck.check(16, "16", module -> true).get(0).failed());
        assertEquals(Mark.OK, of(JdkCheck.check(17, "17", module -> false), "native access").mark());
        assertEquals(Mark.OK, of(JdkCheck.check(25, "25", module -> true), "native access").mark());
        assertSays(of(JdkCheck.check(25, "25", module -> false), "native access"), Mark.WARN, "JDK 25 warns",
                "--enable-native-access=ALL-UNNAMED");
    }

    @Test
    void thisHostCanBeLookedAt() {
        Host real = Host.real();
        for (List<Finding> found : List.of(ShmCheck.check(real), LibraryCheck.check(real), KernelCheck.check(real),
                MemlockCheck.check(real), DeviceCheck.check(real), JdkCheck.check())) {
            assertFalse(found.isEmpty());
            found.forEach(finding -> assertFalse(finding.text().contains("\n"), finding::toString));
        }
    }
}
