package org.jvrpc.watch.counters;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jvrpc.watch.CounterSource;
import org.jvrpc.watch.Reading;

/**
 * What {@code rdma -j statistic show link DEVICE} prints: the same counters as sysfs's {@code hw_counters}, by netlink,
 * with those that are optional. Source: rdma-statistic(8) of iproute2.
 */
public final class RdmaStatistic implements CounterSource {

    private static final String NAME = "rdma statistic";

    private final Tool tool;
    private final String device;
    private final String driver;
    private final Values values;

    /**
     * Makes a source.
     *
     * @param driver as {@code mlx5_core}, or null
     * @param raw the driver's names and numbers, as they are
     */
    RdmaStatistic(Tool tool, String device, String driver, boolean raw) {
        this.tool = tool;
        this.device = device;
        this.driver = driver;
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
        Tool.Result result = tool.run(List.of("rdma", "-j", "statistic", "show", "link", device));
        if (result.refusal() != null) {
            return List.of(Reading.refused(device, 0, NAME, result.refusal()));
        }
        try {
            return parse(result.text());
        } catch (IllegalArgumentException e) {
            return List.of(Reading.refused(device, 0, NAME, "rdma: not its JSON: " + e.getMessage()));
        }
    }

    private List<Reading> parse(String text) {
        List<Reading> readings = new ArrayList<>();
        if (text.isBlank()) {
            return readings;
        }
        for (Map<String, String> row : JsonRows.parse(text)) {
            String of = JsonRows.unquoted(row.getOrDefault("ifname", ""));
            if (!of.equals(device)) {
                continue;
            }
            String port = row.getOrDefault("port", "0");
            int number = port.matches("[0-9]{1,3}") ? Integer.parseInt(port) : 0;
            row.forEach((name, value) -> {
                if (!name.equals("ifname") && !name.equals("ifindex") && !name.equals("port")) {
                    readings.add(values.text(device, number, name.replaceAll("\\p{Cntrl}", "_"), value));
                }
            });
        }
        return readings;
    }

    @Override
    public void close() {
        // holds nothing
    }
}
