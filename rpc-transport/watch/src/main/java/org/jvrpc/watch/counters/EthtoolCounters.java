package org.jvrpc.watch.counters;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.watch.CounterSource;
import org.jvrpc.watch.Reading;

/**
 * What {@code ethtool -S INTERFACE} prints: what the network card below an RDMA device counts, pauses of priorities
 * among them. Source: ethtool(8).
 */
public final class EthtoolCounters implements CounterSource {

    private static final String NAME = "ethtool";

    private final Tool tool;
    private final String netdev;
    private final String device;
    private final int port;
    private final String driver;
    private final boolean all;
    private final Values values;

    /**
     * Makes a source.
     *
     * @param netdev as {@code eth0}
     * @param device the RDMA device that its counters are said to be of, with a port; or the interface, and 0
     * @param driver as {@code mlx5_core}, or null
     * @param all those too that have to do with single rings, or with neither loss nor pauses
     * @param raw the driver's names and numbers, as they are
     */
    EthtoolCounters(Tool tool, String netdev, String device, int port, String driver, boolean all, boolean raw) {
        this.tool = tool;
        this.netdev = netdev;
        this.device = device;
        this.port = port;
        this.driver = driver;
        this.all = all;
        values = new Values(raw);
    }

    @Override
    public String origin() {
        return NAME;
    }

    @Override
    public int bits(String name) {
        return CounterNames.bits(driver, CounterNames.canonical(name));
    }

    @Override
    public List<Reading> read() {
        Tool.Result result = tool.run(List.of("ethtool", "-S", netdev));
        if (result.refusal() != null) {
            return result.refusal().contains("no stats available") ? List.of()
                    : List.of(Reading.refused(device, port, NAME, result.refusal()));
        }
        List<Reading> readings = new ArrayList<>();
        result.text().lines().forEach(line -> add(readings, line));
        return readings;
    }

    /** Takes {@code "     rx_prio3_pause: 17"}; a ring's name has a colon of its own. */
    private void add(List<Reading> readings, String line) {
        int colon = line.lastIndexOf(':');
        if (colon <= 0 || line.isBlank() || !Character.isWhitespace(line.charAt(0))) {
            return; // the heading
        }
        String name = line.substring(0, colon).strip().replaceAll("[:\\s\\p{Cntrl}]+", "_");
        if (!name.isEmpty() && (all || CounterNames.isWatched(name))) {
            readings.add(values.text(device, port, name, line.substring(colon + 1)));
        }
    }

    @Override
    public void close() {
        // holds nothing
    }
}
