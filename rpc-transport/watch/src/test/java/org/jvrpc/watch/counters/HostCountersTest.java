package org.jvrpc.watch.counters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sources of a host, one by one and together. */
class HostCountersTest {

    @TempDir
    private Path folder;
    private FakeRoot host;

    @BeforeEach
    void make() {
        host = new FakeRoot(folder);
    }

    private FakeRoot rxe() {
        host.file("sys/class/infiniband/rxe0/parent", "v0\n");
        return host.counter("rxe0", "hw_counters/sent_pkts", "5007").counter("rxe0", "hw_counters/lifespan", "10")
                .counter("rxe0", "hw_counters/out_of_seq_request", "4")
                .counter("rxe0", "hw_counters/rcvd_seq_err", "9");
    }

    private FakeRoot mlx5() {
        return host.link("sys/class/infiniband/mlx5_0/device/driver", "../../../bus/pci/drivers/mlx5_core")
                .file("sys/class/infiniband/mlx5_0/ports/1/gid_attrs/ndevs/0", "ens1f0\n")
                .counter("mlx5_0", "counters/port_xmit_data", "1000")
                .counter("mlx5_0", "counters/port_rcv_packets", "7")
                .counter("mlx5_0", "counters/unicast_rcv_packets", "7")
                .counter("mlx5_0", "hw_counters/out_of_sequence", "3")
                .counter("mlx5_0", "hw_counters/np_cnp_sent", "8");
    }

    private String read(HostCounters counters, String... devices) {
        try (CounterTable table = CounterTable.of(counters.sources(List.of(devices)))) {
            return FakeRoot.lines(table.read());
        }
    }

    private HostCounters counters() {
        return HostCounters.of(folder, host);
    }

    @Test
    void rxesCountersHaveTheNamesOfMlx5() {
        rxe().prints("rdma -j statistic show link rxe0", "[]").prints("ethtool -S v0", "NIC statistics:\n");
        assertEquals("rxe0/1 out_of_sequence 4 COUNT of sysfs\nrxe0/1 packet_seq_err 9 COUNT of sysfs\n"
                + "rxe0/1 sent_pkts 5007 COUNT of sysfs\n", read(counters()));
    }

    @Test
    void rawReadingsHaveTheDriversNamesAndNumbers() {
        rxe().prints("rdma -j statistic show link rxe0", "[]").prints("ethtool -S v0", "");
        mlx5().prints("rdma -j statistic show link mlx5_0", "[]").prints("ethtool -S ens1f0", "");
        assertEquals("rxe0/1 out_of_seq_request 4 COUNT of sysfs\nrxe0/1 rcvd_seq_err 9 COUNT of sysfs\n"
                + "rxe0/1 sent_pkts 5007 COUNT of sysfs\n", read(counters().raw(true), "rxe0"));
        assertTrue(read(counters().raw(true), "mlx5_0").contains("port_xmit_data 1000 COUNT"));
        assertTrue(read(counters(), "mlx5_0").contains("port_xmit_data 4000 BYTES"));
    }

    @Test
    void whatTheToolsPrintIsOfTheDeviceWhoseInterfaceItIs() {
        mlx5().prints("rdma -j statistic show link mlx5_0",
                "[{\"ifname\":\"mlx5_0\",\"port\":1,\"out_of_sequence\":3,\"cc_rx_ce_pkts\":12}]")
                .prints("ethtool -S ens1f0", FakeRoot.resource("ethtool-mlx5.txt"));
        String read = read(counters());
        assertTrue(read.contains("mlx5_0/1 out_of_sequence 3 COUNT of sysfs\n"), read);
        assertTrue(read.contains("mlx5_0/1 cc_rx_ce_pkts 12 COUNT of rdma statistic\n"), read);
        assertTrue(read.contains("mlx5_0/1 rx_prio3_pause_duration 8134 MICROSECONDS of ethtool\n"), read);
        assertEquals(read.lines().count(), read.lines().map(line -> line.split(" ")[1]).distinct().count(), read);
        assertEquals(List.of("rdma -j statistic show link mlx5_0", "ethtool -S ens1f0"), host.ran);
    }

    @Test
    void countersOfSingleRingsAreLeftOutUnlessAllAreAskedFor() {
        mlx5().file("sys/class/net/ens1f0/mtu", "1500").prints("ethtool -S ens1f0",
                FakeRoot.resource("ethtool-mlx5.txt"));
        String some = read(counters(), "ens1f0");
        assertTrue(some.contains("ens1f0 rx_out_of_buffer 17 COUNT of ethtool\n"), some);
        assertTrue(some.contains("ens1f0 tx_pause_storm_warning_events 4 "), some);
        for (String name : List.of("rx0_packets", "ch0_events", "rx0_xdp_drop", "tx0_dropped", "rx_csum_none")) {
            assertTrue(!some.contains(" " + name + " "), name);
            assertTrue(read(counters().all(true), "ens1f0").contains(" " + name + " "), name);
        }
    }

    @Test
    void whatIsNoNumberIsNamedWithTheReasonAndIsNotNought() {
        rxe().counter("rxe0", "counters/port_xmit_data", "N/A (no PMA)").counter("rxe0", "counters/symbol_error", "")
                .counter("rxe0", "counters/excessive_buffer_overrun_errors", "-1")
                .prints("rdma -j statistic show link rxe0", "[]").prints("ethtool -S v0", "");
        String read = read(counters());
        assertTrue(read.contains("rxe0/1 port_xmit_data ? no number: N/A (no PMA) of sysfs\n"), read);
        assertTrue(read.contains("rxe0/1 symbol_error ? empty of sysfs\n"), read);
        assertTrue(read.contains("rxe0/1 excessive_buffer_overrun_errors ? no number: -1 of sysfs\n"), read);
    }

    @Test
    void aCounterThatThisUserMayNotReadHasAReasonInTwoWords() {
        assertEquals("permission denied", Values.reason(new AccessDeniedException("sent_pkts")));
        assertEquals("Invalid argument", Values.reason(new IOException("Invalid argument")));
        assertEquals("IOException", Values.reason(new IOException()));
    }

    @Test
    void aFolderInPlaceOfACounterIsNamed() throws IOException {
        rxe().prints("rdma -j statistic show link rxe0", "[]").prints("ethtool -S v0", "");
        Files.createDirectories(folder.resolve("sys/class/infiniband/rxe0/ports/1/hw_counters/odd"));
        assertTrue(read(counters()).contains("rxe0/1 odd ? Is a directory of sysfs\n"), () -> read(counters()));
    }

    @Test
    void aCounterThatSysfsRefusesIsTakenFromRdmaStatistic() {
        rxe().counter("rxe0", "hw_counters/sent_pkts", "?").prints("ethtool -S v0", "")
                .prints("rdma -j statistic show link rxe0", FakeRoot.resource("rdma-statistic-rxe0.json"));
        String read = read(counters());
        assertTrue(read.contains("rxe0/1 sent_pkts 5007 COUNT of rdma statistic\n"), read);
        assertTrue(read.contains("rxe0/1 out_of_sequence 4 COUNT of sysfs\n"), read);
    }

    @Test
    void programsThatAreMissingOrFailAreNamed() {
        rxe().refuses("ethtool -S v0", "ethtool: exit code 1");
        String read = read(counters());
        assertTrue(read.contains("rxe0 rdma statistic ? rdma: no such program, or not executable of rdma statistic\n"),
                read);
        assertTrue(read.contains("rxe0/1 ethtool ? ethtool: exit code 1 of ethtool\n"), read);
        assertTrue(read.contains("sent_pkts 5007"), read);
    }

    @Test
    void anInterfaceWithoutCountersIsNothingToComplainOf() {
        rxe().prints("rdma -j statistic show link rxe0", "").refuses("ethtool -S v0", "ethtool: no stats available");
        assertEquals(3, read(counters()).lines().count());
    }

    @Test
    void aDeviceWhoseDriverCountsNothingSaysSo() throws IOException {
        Files.createDirectories(folder.resolve("sys/class/infiniband/odd0/ports/1"));
        host.prints("rdma -j statistic show link odd0", "[]");
        assertEquals("odd0/1 counters ? the driver has none of sysfs\n", read(counters()));
    }

    @Test
    void aDeviceThatWentIsNamed() throws IOException {
        rxe().prints("rdma -j statistic show link rxe0", "[]").prints("ethtool -S v0", "");
        try (CounterTable table = CounterTable.of(counters().sources(List.of()))) {
            Files.move(folder.resolve("sys/class/infiniband/rxe0"), folder.resolve("gone"));
            assertEquals("rxe0 counters ? no such file of sysfs\n", FakeRoot.lines(table.read()));
        }
    }

    @Test
    void eachSourceIsReadAtItsOwnTime() {
        rxe().prints("rdma -j statistic show link rxe0", "[{\"ifname\":\"rxe0\",\"port\":1,\"rdma_sends\":3}]")
                .prints("ethtool -S v0", "");
        long[] nowNs = {0};
        try (CounterTable table = CounterTable.of(counters().sources(List.of()), () -> nowNs[0] += 1_000)) {
            assertEquals("1000 1000 2000 1000", table.read().stream().map(one -> Long.toString(one.atNs()))
                    .collect(Collectors.joining(" ")));
        }
    }

    @Test
    void anUnknownDeviceIsRefusedWithThoseThatThereAre() {
        rxe();
        IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class,
                () -> counters().sources(List.of("rxe7")));
        assertEquals("no device or interface 'rxe7'; devices: rxe0", refusal.getMessage());
        assertThrows(IllegalArgumentException.class, () -> counters().sources(List.of("../infiniband")));
    }

    @Test
    void aHostWithoutRdmaHasNoSources() {
        assertTrue(counters().sources(List.of()).isEmpty());
        assertTrue(counters().devices().isEmpty());
    }

    @Test
    void queueCountersOfMlx5HaveThirtyTwoBits() {
        mlx5();
        SysfsCounters card = SysfsCounters.of(folder, "mlx5_0");
        card.read();
        assertEquals(32, card.bits("out_of_sequence"));
        assertEquals(64, card.bits("np_cnp_sent"));
        assertEquals(64, card.bits("port_xmit_data"));
        rxe();
        assertEquals(64, SysfsCounters.of(folder, "rxe0").bits("out_of_sequence"));
    }

    @Test
    void dataCountersOfOldPortsAreWordsOfThirtyTwoBits() {
        host.counter("old0", "counters/port_xmit_data", "4294967295");
        SysfsCounters old = SysfsCounters.of(folder, "old0");
        assertEquals(4294967295L * 4, old.read().get(0).value());
        assertEquals(34, old.bits("port_xmit_data"));
        assertEquals(32, SysfsCounters.raw(folder, "old0").bits("port_xmit_data"));
    }
}
