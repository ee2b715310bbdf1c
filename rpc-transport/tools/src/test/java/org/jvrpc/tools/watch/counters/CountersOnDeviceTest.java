package org.jvrpc.tools.watch.counters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.jvrpc.watch.counters.Counted;
import org.jvrpc.watch.counters.CounterTable;
import org.jvrpc.watch.counters.HostCounters;
import picocli.CommandLine;

/** Real devices that are at rest. */
@Tag("device")
class CountersOnDeviceTest {

    private final List<String> devices = HostCounters.real().devices();

    @BeforeEach
    void lookForDevices() {
        assumeFalse(devices.isEmpty(), "this machine has no RDMA device");
    }

    @Test
    void sysfsAndNetlinkTellTheSame() {
        String device = devices.get(0);
        try (CounterTable table = CounterTable.ofEach(HostCounters.real().sources(List.of(device)), System::nanoTime)) {
            Map<String, Long> bySysfs = new TreeMap<>();
            Map<String, Long> byNetlink = new TreeMap<>();
            for (Counted one : table.read()) {
                if (one.reading().isReadable() && !one.origin().equals("ethtool")) {
                    (one.origin().equals("sysfs") ? bySysfs : byNetlink).put(one.label(), one.reading().value());
                }
            }
            assertTrue(byNetlink.size() > 10 && bySysfs.keySet().containsAll(byNetlink.keySet()),
                    () -> bySysfs + "\n" + byNetlink);
            byNetlink.forEach((name, value) -> assertEquals(bySysfs.get(name), value, name));
        }
    }

    @Test
    void eachDeviceIsListedUnderTheCommonNames() {
        StringWriter out = new StringWriter();
        assertEquals(0, new CommandLine(new CountersCommand()).setOut(new PrintWriter(out)).execute());
        for (String device : devices) {
            assertTrue(out.toString().contains(device + "/1  out_of_sequence "), out.toString());
            assertTrue(out.toString().contains(device + "/1  packet_seq_err "), out.toString());
        }
    }
}
