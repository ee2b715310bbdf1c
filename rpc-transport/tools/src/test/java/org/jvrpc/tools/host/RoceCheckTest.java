package org.jvrpc.tools.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is in the way of roce:// on trees of files that look like hosts. */
final class RoceCheckTest {

    private static final String HEAD =
            "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt\n";

    @TempDir
    private Path root;

    private FakeHost fake() {
        return new FakeHost(root);
    }

    private static Finding of(FakeHost fake, String check) {
        List<Finding> found = RoceCheck.check(fake.host());
        return found.stream().filter(finding -> finding.check().equals(check)).findFirst()
                .orElseThrow(() -> new AssertionError("no check " + check + " among " + found));
    }

    private static void assertSays(Finding finding, Mark mark, String text, String cure) {
        assertEquals(mark, finding.mark(), finding::toString);
        assertTrue(finding.text().contains(text), finding::toString);
        assertTrue(finding.cure().contains(cure), finding::toString);
    }

    @Test
    void aPortThatNobodyHasIsFree() {
        FakeHost fake = fake().file("/proc/net/udp", HEAD
                + "  676: 0100007F:12B8 00000000:12B7 07 00000000:00000000 00:00000000 00000000     0        0 12\n");
        assertSays(of(fake, "udp port 4791"), Mark.OK, "is free", "");
    }

    @Test
    void thePortOfRxeIsTheKernels() {
        FakeHost fake = fake().folder("/sys/module/rdma_rxe").file("/proc/net/udp", HEAD
                + "  676: 00000000:12B7 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 12\n");
        assertSays(of(fake, "udp port 4791"), Mark.NOTE, "rxe has it", "rmmod rdma_rxe");
    }

    @Test
    void thePortOfAnotherSocketIsTaken() {
        FakeHost fake = fake().file("/proc/net/udp6", HEAD + "  676: 00000000000000000000000000000000:12B7"
                + " 00000000000000000000000000000000:0000 07 00000000:00000000 00:00000000 00000000  0  0 12\n");
        assertSays(of(fake, "udp port 4791"), Mark.NOTE, "taken by another socket", "ss -ulnp");
    }

    @ParameterizedTest
    @CsvSource({"1500, OK, packets of 1024 bytes, mtu 4200", "4176, OK, packets of 4096 bytes, ''",
        "4175, OK, packets of 2048 bytes, mtu 4200", "65536, OK, packets of 4096 bytes, ''",
        "336, OK, packets of 256 bytes, mtu 4200", "335, FAIL, too small, mtu 1500", "much, WARN, unknown, ''"})
    void anInterfaceSaysHowLongPacketsMayBe(String mtu, Mark mark, String text, String cure) {
        FakeHost fake = fake().file("/sys/class/net/eth0/operstate", "up\n")
                .file("/sys/class/net/eth0/mtu", mtu + "\n");
        assertSays(of(fake, "roce on eth0"), mark, text, cure);
    }

    @Test
    void interfacesThatAreDownAreLeftOut() {
        FakeHost fake = fake().file("/sys/class/net/eth0/operstate", "down\n").file("/sys/class/net/eth0/mtu", "9\n")
                .file("/sys/class/net/lo/operstate", "unknown\n").file("/sys/class/net/lo/mtu", "65536\n");
        assertEquals(List.of("udp port 4791", "roce on lo", "socket buffers", "firewall"),
                RoceCheck.check(fake.host()).stream().map(Finding::check).toList());
    }

    @ParameterizedTest
    @CsvSource({"4194304, OK, rmem_max=4194304, ''", "212992, WARN, more are lost, rmem_max=4194304",
        "many, WARN, unknown, ''"})
    void socketsMustHoldPackets(String limit, Mark mark, String text, String cure) {
        FakeHost fake = fake().file("/proc/sys/net/core/rmem_max", limit + "\n");
        assertSays(of(fake, "socket buffers"), mark, text, cure);
    }

    @Test
    void firewallsThatAreLoadedAreNamed() {
        assertSays(of(fake(), "firewall"), Mark.OK, "none is loaded", "");
        FakeHost fake = fake().file("/proc/net/ip_tables_names", "filter\nnat\n").folder("/sys/module/nf_tables");
        assertSays(of(fake, "firewall"), Mark.NOTE, "iptables (filter, nat) and nf_tables may drop", "nft list");
    }
}
