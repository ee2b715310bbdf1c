package org.jvrpc.watch.drift.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.watch.drift.ConfigurationSource;
import org.jvrpc.watch.drift.Desired;
import org.jvrpc.watch.drift.DesiredException;
import org.jvrpc.watch.drift.Differ;
import org.jvrpc.watch.drift.Drift;
import org.jvrpc.watch.drift.Setting;
import org.jvrpc.watch.drift.Sightings;

/** A host of files that were made, and the tool's text as its manual has it. */
class HostConfigurationTest {

    /** dcb-pfc(8), dcb-app(8) with -N, dcb-ets(8). */
    private static final String PFC = """
            pfc-cap 8 macsec-bypass off delay 4096
            prio-pfc 0:off 1:off 2:off 3:on 4:off 5:off 6:off 7:off
            """;
    private static final String APP = """
            default-prio 0
            dscp-prio 26:3 48:6 50:1 50:2
            """;
    private static final String ETS = """
            willing on ets-cap 8 cbs off
            tc-bw 0:33 1:33 2:34 3:0 4:0 5:0 6:0 7:0
            pg-bw 0:0 1:0 2:0 3:0 4:0 5:0 6:0 7:0
            tc-tsa 0:ets 1:ets 2:ets 3:strict 4:strict 5:strict 6:strict 7:strict
            prio-tc 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7
            """;

    @TempDir
    private Path root;

    private void file(String absolute, String text) throws IOException {
        Path path = root.resolve(absolute.substring(1));
        Files.createDirectories(path.getParent());
        Files.writeString(path, text + "\n");
    }

    private static String dcb(List<String> words) throws IOException {
        assertEquals("dcb -N x show dev eth0", String.join(" ", words).replaceFirst("pfc|app|ets", "x"));
        return switch (words.get(2)) {
            case "pfc" -> PFC;
            case "app" -> APP;
            default -> ETS;
        };
    }

    private ConfigurationSource card(Tool tool) throws IOException {
        String device = "/sys/class/infiniband/mlx5_0";
        file(device + "/fw_ver", "16.35.2000");
        file(device + "/ports/1/gid_attrs/ndevs/0", "eth0");
        Path card = root.resolve("sys/devices/pci0000:00/0000:3b:00.0");
        Path driver = root.resolve("sys/bus/pci/drivers/mlx5_core");
        Files.createDirectories(card);
        Files.createDirectories(driver);
        Files.createSymbolicLink(root.resolve(device.substring(1) + "/device"), card);
        Files.createSymbolicLink(card.resolve("driver"), driver);
        file("/sys/class/net/eth0/mtu", "4200");
        file("/sys/class/net/eth0/qos/trust", "dscp");
        for (int i = 0; i < 8; i++) {
            file("/sys/class/net/eth0/ecn/roce_np/enable/" + i, i == 3 ? "1" : "0");
        }
        file("/sys/kernel/debug/mlx5/0000:3b:00.0/cc_params/np_cnp_dscp", "48");
        file("/sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tos", "106");
        List<ConfigurationSource> all = HostConfiguration.of(root, "h1", tool);
        assertEquals(1, all.size());
        return all.get(0);
    }

    @Test
    void whatLinuxShowsOfACardIsTold() throws IOException {
        ConfigurationSource card = card(HostConfigurationTest::dcb);
        assertEquals("h1/mlx5_0/1", card.subject());
        SortedMap<String, Setting> all = card.read();
        assertEquals(Setting.of("mlx5_core"), all.get("driver"));
        assertEquals(Setting.of("16.35.2000"), all.get("firmware"));
        assertEquals(Setting.of("4200"), all.get("mtu"));
        assertEquals(Setting.of("dscp"), all.get("trust"));
        assertEquals(Setting.of("3"), all.get("pfc"));
        assertEquals(Setting.of("3"), all.get("ecn.np"));
        assertEquals(Setting.of("48"), all.get("dcqcn.np_cnp_dscp"));
        assertEquals(Setting.of("106"), all.get("roce.tos"));
        assertEquals(Setting.of("3"), all.get("dscp.26.class"));
        assertEquals(Setting.of("none"), all.get("dscp.27.class"));
        assertEquals(Setting.of("6"), all.get("class.6.queue"));
        assertEquals(Setting.of("34%"), all.get("queue.2.share"));
    }

    @Test
    void whatCannotBeReadIsNamedWithTheReason() throws IOException {
        SortedMap<String, Setting> all = card(words -> {
            throw new IOException("dcb: Attribute read: Operation not supported");
        }).read();
        assertEquals("dcb: Attribute read: Operation not supported", all.get("pfc").refusal());
        assertEquals("dcb: Attribute read: Operation not supported", all.get("dscp.26.class").refusal());
        assertEquals("no /sys/class/net/eth0/ecn/roce_rp/enable/0", all.get("ecn.rp").refusal());
        assertEquals("no /sys/module/mlx5_core/version", all.get("driver-version").refusal());
    }

    @Test
    void twoEntriesOfADscpAreNoAnswerAndNeitherIsHalfATable() throws IOException {
        SortedMap<String, Setting> all = card(words ->
                words.get(2).equals("pfc") ? "prio-pfc 3:on" : dcb(words)).read();
        assertEquals("several entries: 1, 2", all.get("dscp.50.class").refusal());
        assertEquals("dcb pfc show has no whole prio-pfc: prio-pfc 3:on", all.get("pfc").refusal());
    }

    @Test
    void remediesAreCommandsForThePortAndNothingIsDone() throws IOException, DesiredException {
        ConfigurationSource card = card(HostConfigurationTest::dcb);
        Desired desired = Desired.parse("wanted.yaml", """
                hosts:
                  driver: mlx5_core
                  firmware: 16.35.3006
                  mtu: 9000
                  pfc: [3, 4]
                  trust: pcp
                  dscp: {27: {class: 4, queue: 2}}
                  shares: {0: 50%}
                  ecn: {np: [3, 4], rp: [3]}
                  dcqcn: {np_cnp_dscp: 46}
                  roce: {tos: 104}
                """);
        Drift drift = Differ.look(desired, List.of(card), new Sightings(), 1);
        assertEquals(List.of(
                "class.4.queue: dcb ets set dev eth0 prio-tc 4:2",
                "dcqcn.np_cnp_dscp: echo 46 > /sys/kernel/debug/mlx5/0000:3b:00.0/cc_params/np_cnp_dscp",
                "dscp.27.class: dcb app replace dev eth0 dscp-prio 27:4",
                "ecn.np: echo 1 > /sys/class/net/eth0/ecn/roce_np/enable/N for N of 3,4, and 0 for all others",
                "firmware: install firmware 16.35.3006 on mlx5_0 and reset the card",
                "mtu: ip link set dev eth0 mtu 9000",
                "pfc: dcb pfc set dev eth0 prio-pfc all:off 3:on 4:on",
                "queue.0.share: dcb ets set dev eth0 tc-bw so that queue 0 has 1/2, and all have 100% in sum",
                "roce.tos: echo '104' > /sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tos",
                "trust: mlnx_qos -i eth0 --trust pcp"),
                drift.differences().stream().map(one -> one.key() + ": " + one.remedy()).toList());
        assertEquals(List.of("ecn.rp"), drift.unreadable().stream().map(Drift.Unreadable::key).toList());
        assertEquals(1, drift.same());
    }

    @Test
    void rxeIsToldByItsParent() throws IOException {
        file("/sys/class/infiniband/rxe0/parent", "veth0");
        file("/sys/class/infiniband/rxe0/ports/1/state", "4: ACTIVE");
        file("/sys/class/net/veth0/mtu", "1500");
        SortedMap<String, Setting> all = HostConfiguration.of(root, "h1", null).get(0).read();
        assertEquals(Setting.of("rdma_rxe"), all.get("driver"));
        assertEquals(Setting.of("1500"), all.get("mtu"));
        assertEquals("dcb cannot be asked about a copy of a host", all.get("pfc").refusal());
    }

    @Test
    void aHostWithoutDevicesHasNoPorts() {
        assertTrue(HostConfiguration.of(root, "h1", null).isEmpty());
    }

    @Test
    void toolsOfTheSystemEndInTimeAndSayWhyTheyFail() throws IOException {
        assertEquals("text", new SystemTool().run(List.of("echo", "text")));
        IOException missing = assertThrows(IOException.class,
                () -> new SystemTool().run(List.of("/no/such/tool")));
        assertTrue(missing.getMessage().contains("/no/such/tool"), missing.getMessage());
        IOException failed = assertThrows(IOException.class,
                () -> new SystemTool().run(List.of("sh", "-c", "echo why; exit 3")));
        assertEquals("sh: why", failed.getMessage());
    }
}
