package org.jvrpc.tools.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.DeviceInfo;
import org.jvrpc.verbs.VerbsException;

/** What is made of the list of devices. */
final class VerbsCheckTest {

    private static final DeviceInfo SHM = new DeviceInfo("software RNIC", "shm", DeviceInfo.READY);

    @Test
    void eachDeviceThatIsReadyIsTriedByItsName() {
        List<String> tried = new ArrayList<>();
        List<Finding> found = VerbsCheck.check(
                () -> List.of(SHM, new DeviceInfo("rxe1", "rdma", DeviceInfo.READY)), address -> {
                    tried.add(address);
                    return "fine";
                });
        assertEquals(List.of("shm://doctor", "rdma://localhost:0?device=rxe1"), tried);
        assertEquals(List.of(Finding.ok(Area.SHM, "shm://", "fine"), Finding.ok(Area.RDMA, "rdma:// on rxe1", "fine")),
                found);
    }

    @Test
    void aDeviceOnTheNetworkIsTriedAtThisMachine() {
        List<Finding> found = VerbsCheck.check(
                () -> List.of(SHM, new DeviceInfo("udp", "roce", DeviceInfo.READY)), address -> address);
        assertEquals(Finding.ok(Area.ROCE, "roce://", "roce://127.0.0.1:0"), found.get(1));
    }

    @Test
    void aDeviceThatIsNotReadySaysWhy() {
        List<Finding> found = VerbsCheck.check(
                () -> List.of(SHM, new DeviceInfo("none", "rdma", "libibverbs is missing")), address -> "fine");
        assertEquals(Finding.fail(Area.RDMA, "rdma://", "libibverbs is missing", "see the lines above"), found.get(1));
    }

    @Test
    void aMessageThatDoesNotArriveIsAFailure() {
        List<Finding> found = VerbsCheck.check(() -> List.of(SHM), address -> {
            throw new VerbsException("post_send", "cable=unplugged");
        });
        assertTrue(found.get(0).failed() && found.get(0).text().contains("cable=unplugged"), found::toString);
        assertTrue(found.get(0).cure().contains("--self-test 'shm://doctor'"), found::toString);
    }

    @Test
    void aListWithoutRealDevicesIsAFailureOfRdma() {
        List<Finding> found = VerbsCheck.check(() -> List.of(SHM), address -> "fine");
        assertEquals(List.of(Mark.OK, Mark.FAIL), found.stream().map(Finding::mark).toList());
        assertEquals(Area.RDMA, found.get(1).area());
    }
}
