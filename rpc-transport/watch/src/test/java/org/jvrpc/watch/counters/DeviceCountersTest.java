package org.jvrpc.watch.counters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.watch.Reading;

/** Our own devices, as others' are read. */
class DeviceCountersTest {

    /** Answers what is asked of it here, and nothing else. */
    private static Device device(Map<String, Object> answers) {
        return (Device) Proxy.newProxyInstance(Device.class.getClassLoader(), new Class<?>[] {Device.class},
                (proxy, method, args) -> {
                    Object answer = answers.get(method.getName());
                    if (answer instanceof RuntimeException failure) {
                        throw failure;
                    }
                    return answer;
                });
    }

    private static String read(Device device) {
        try (CounterTable table = CounterTable.of(List.of(new DeviceCounters(device, "roce")))) {
            return FakeRoot.lines(table.read());
        }
    }

    @Test
    void aDeviceOverUdpHasTheCountersOfARealOne() {
        try (Device device = Devices.open("roce://127.0.0.1:0")) {
            List<Reading> readings = new DeviceCounters(device, "roce").read();
            List<String> names = readings.stream().map(Reading::name).collect(Collectors.toList());
            assertTrue(names.containsAll(List.of("sent_pkts", "out_of_sequence", "packet_seq_err", "rnr_nak_retry_err",
                    "local_ack_timeout_err", "req_transport_retries_exceeded")), names::toString);
            assertTrue(readings.stream().allMatch(reading -> reading.isReadable() && reading.value() == 0));
            assertEquals(names.size(), names.stream().distinct().count());
        }
    }

    @Test
    void namesAreTheCanonicalOnes() {
        assertEquals("d/1 packet_seq_err 7 COUNT of roce\n",
                read(device(Map.of("name", "d", "isLost", false, "counters", Map.of("rcvd_seq_err", 7L)))));
    }

    @Test
    void aDeviceThatCountsNothingSaysSo() {
        assertEquals("d/1 counters ? a device of roce:// counts nothing of roce\n",
                read(device(Map.of("name", "d", "isLost", false, "counters", Map.of()))));
    }

    @Test
    void aLostDeviceIsNamedWithItsTrouble() {
        assertEquals("d/1 counters ? the device is lost: no link of roce\n",
                read(device(Map.of("name", "d", "isLost", true, "trouble", "no link"))));
    }

    @Test
    void aDeviceThatFailsIsNamed() {
        assertEquals("d/1 counters ? java.lang.IllegalStateException: closed of roce\n", read(device(
                Map.of("name", "d", "isLost", false, "counters", new IllegalStateException("closed")))));
    }
}
