package org.jvrpc.ibverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which devices the mlx5 driver takes, by a made-up sysfs. */
final class DriversTest {

    @TempDir
    private Path root;

    private void device(String name, String driver, String vendor) throws IOException {
        Path folder = Files.createDirectories(root.resolve("infiniband").resolve(name).resolve("device"));
        if (driver != null) {
            Files.createSymbolicLink(folder.resolve("driver"), Files.createDirectories(root.resolve(driver)));
        }
        if (vendor != null) {
            Files.writeString(folder.resolve("vendor"), vendor + "\n");
        }
    }

    private boolean isMlx5(String name) {
        return Drivers.isMlx5(root.resolve("infiniband"), name);
    }

    @Test
    void aCardIsKnownByItsKernelDriverOrElseByItsVendor() throws IOException {
        device("mlx5_0", "drivers/mlx5_core", "0x15b3");
        device("roce0", "drivers/mlx5_core", null);
        device("passed0", null, "0x15b3");
        assertTrue(isMlx5("mlx5_0"));
        assertTrue(isMlx5("roce0"), "whatever its name");
        assertTrue(isMlx5("passed0"));
    }

    @Test
    void otherDevicesAreNotTaken() throws IOException {
        device("mlx4_0", "drivers/mlx4_core", "0x15b3");
        device("irdma0", "drivers/ice", "0x8086");
        Files.createDirectories(root.resolve("infiniband/rxe0"));
        assertFalse(isMlx5("mlx4_0"));
        assertFalse(isMlx5("irdma0"));
        assertFalse(isMlx5("rxe0"));
        assertFalse(isMlx5("nothing"));
    }

    private String doubt(String device, String release) throws IOException {
        return RxeKernel.doubt(root.resolve("infiniband_verbs"), Files.writeString(root.resolve("osrelease"),
                release + "\n"), device);
    }

    private void verbs(String name, String device, String abi) throws IOException {
        Path folder = Files.createDirectories(root.resolve("infiniband_verbs").resolve(name));
        Files.writeString(folder.resolve("ibdev"), device + "\n");
        Files.writeString(folder.resolve("abi_version"), abi + "\n");
    }

    @Test
    void theUserDriverOfRxeIsForKernelsThatItIsProvenWith() throws IOException {
        verbs("uverbs0", "mlx5_0", "1");
        verbs("uverbs1", "rxe0", "2");
        verbs("uverbs2", "rxe1", "3");
        assertNull(doubt("rxe0", "6.1.0-37-amd64"));
        assertNull(doubt("rxe0", "6.1.148"));
        assertEquals("kernel=6.12.3, proven are [6.1]", doubt("rxe0", "6.12.3"));
        assertEquals("kernel=6.10.0-amd64, proven are [6.1]", doubt("rxe0", "6.10.0-amd64"));
        assertEquals("kernel=, proven are [6.1]", doubt("rxe0", ""));
        assertEquals("abi_version=3, proven is 2", doubt("rxe1", "6.1.0"));
        assertEquals("abi_version=null, proven is 2", doubt("rxe2", "6.1.0"));
    }

    @Test
    void fencesOfJavaAreTrustedForACardOnX86Only() {
        assertTrue(Drivers.isOrderedForDevices("amd64"));
        assertFalse(Drivers.isOrderedForDevices("aarch64"));
    }
}
