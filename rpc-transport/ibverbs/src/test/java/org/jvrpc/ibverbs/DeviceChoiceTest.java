package org.jvrpc.ibverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.VerbsException;

/** Which device an address means. */
@NeedsRdmaDevice
final class DeviceChoiceTest {

    private static String nameOf(String address) {
        try (Device device = Devices.open(address)) {
            return device.name();
        }
    }

    private static void refused(String address, String... parts) {
        String message = assertThrows(VerbsException.class, () -> Devices.open(address)).getMessage();
        for (String part : parts) {
            assertTrue(message.contains(part), message);
        }
    }

    @Test
    void aLocalAddressIsItsDevice() {
        assertTrue(nameOf("rdma://10.9.0.1:7471").startsWith("rxe0"));
        assertTrue(nameOf("rdma://10.9.0.2:7471").startsWith("rxe1"));
    }

    @Test
    void theSourceAddressAndTheNameComeBeforeTheHost() {
        assertTrue(nameOf("rdma://10.9.0.2:7471?from=10.9.0.1").startsWith("rxe0"));
        assertTrue(nameOf("rdma://10.9.0.2:7471?device=rxe0").startsWith("rxe0"));
    }

    @Test
    void anAddressOfNoDeviceIsRefusedWithTheDevicesThatThereAre() {
        refused("rdma://192.0.2.1:7471", "192.0.2.1", "rxe0 at ::ffff:10.9.0.1", "rxe1 at ::ffff:10.9.0.2");
        refused("rdma://10.9.0.2:7471?from=192.0.2.1", "192.0.2.1", "rxe0", "rxe1");
        refused("rdma://0.0.0.0:7471", "device=", "rxe0", "rxe1");
        refused("rdma://no-such-host.invalid:7471", "no-such-host.invalid");
        refused("rdma://10.9.0.1:7471?device=mlx5_7", "mlx5_7", "rxe0");
    }

    @Test
    void portZeroListensWhereOneIsFree() {
        try (Device device = Devices.open("rdma://10.9.0.2:0");
                EventChannel channel = device.createChannel();
                Listener first = device.listen("rdma://10.9.0.2:0", channel);
                Listener second = device.listen("rdma://10.9.0.2:0", channel)) {
            assertTrue(first.address().matches("rdma://10\\.9\\.0\\.2:[1-9][0-9]*"), first.address());
            assertEquals(false, first.address().equals(second.address()));
        }
    }

    @Test
    void aDeviceListensAtItsOwnAddressesAlone() {
        try (Device device = Devices.open("rdma://10.9.0.1:0"); EventChannel channel = device.createChannel()) {
            String message = assertThrows(VerbsException.class,
                    () -> device.listen("rdma://10.9.0.2:7480", channel)).getMessage();
            assertTrue(message.contains("rxe0") && message.contains("rxe1"), message);
        }
    }
}
