package org.jvrpc.watch.counters;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jvrpc.verbs.Device;
import org.jvrpc.watch.CounterSource;
import org.jvrpc.watch.Reading;

/**
 * What a device that this process has opened counts. The device stays its opener's. The counters of {@code roce://} are
 * of this process alone: another process's are read where it serves them, see {@link ServedCounters}.
 */
public final class DeviceCounters implements CounterSource {

    /** Devices of this project have one port. */
    private static final int PORT = 1;

    /** Characters: reports of agents have room for so much. */
    private static final int MOST_REASON = 160;

    private final Device device;
    private final String origin;
    private final Values values = new Values(false);

    /**
     * Makes a source.
     *
     * @param origin the scheme of the device's address: roce, shm, rdma
     */
    public DeviceCounters(Device device, String origin) {
        this.device = device;
        this.origin = origin;
    }

    @Override
    public String origin() {
        return origin;
    }

    @Override
    public int bits(String name) {
        return 64;
    }

    @Override
    public List<Reading> read() {
        Map<String, Long> counters;
        try {
            if (device.isLost()) {
                return refused("the device is lost" + (device.trouble() == null ? "" : ": " + device.trouble()));
            }
            counters = device.counters();
        } catch (RuntimeException e) {
            return refused(e.toString());
        }
        if (counters.isEmpty()) {
            return refused("a device of " + origin + ":// counts nothing");
        }
        List<Reading> readings = new ArrayList<>();
        counters.forEach((name, value) -> readings.add(values.number(device.name(), PORT, name, value)));
        return readings;
    }

    private List<Reading> refused(String why) {
        return List.of(Reading.refused(device.name(), PORT, "counters",
                why.length() <= MOST_REASON ? why : why.substring(0, MOST_REASON) + "..."));
    }

    @Override
    public void close() {
        // the device is its opener's
    }
}
