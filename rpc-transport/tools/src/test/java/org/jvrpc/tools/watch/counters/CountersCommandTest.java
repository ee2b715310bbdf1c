package org.jvrpc.tools.watch.counters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.watch.Clock;
import org.jvrpc.watch.counters.HostCounters;
import org.jvrpc.watch.counters.Tool;
import picocli.CommandLine;

/** The command, on a tree of files, with a clock of its own. */
class CountersCommandTest {

    private static final String RXE = "sys/class/infiniband/rxe0/";
    private static final String COUNTERS = RXE + "ports/1/hw_counters/";

    @TempDir
    private Path root;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    /** What happens while it rests. */
    private final Deque<Runnable> meanwhile = new ArrayDeque<>();
    private long nowNs = 77;

    private void file(String path, String text) {
        try {
            Files.createDirectories(root.resolve(path).getParent());
            Files.writeString(root.resolve(path), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void rxe() {
        file(RXE + "parent", "v0\n");
        file(COUNTERS + "lifespan", "10\n");
        file(COUNTERS + "sent_pkts", "5007\n");
        file(COUNTERS + "out_of_seq_request", "4\n");
        file(COUNTERS + "send_err", "0\n");
    }

    private final Clock clock = new Clock() {
        @Override
        public long nowNs() {
            return nowNs;
        }

        @Override
        public long wallMs() {
            return 1_000_000 + nowNs / 1_000_000;
        }
    };

    private int run(String... args) {
        Tool tool = command -> new Tool.Result(command.get(0).equals("rdma") ? "[]" : null,
                command.get(0).equals("rdma") ? null : command.get(0) + ": no such program, or not executable");
        CountersCommand command = new CountersCommand(HostCounters.of(root, tool), clock, ns -> {
            nowNs += ns;
            if (!meanwhile.isEmpty()) {
                meanwhile.poll().run();
            }
        });
        return new CommandLine(command).setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(args);
    }

    @Test
    void allAreListedOnceWithWhereTheyAreFromAndWhatCannotBeRead() {
        rxe();
        assertEquals(0, run());
        assertEquals("""
                rxe0/1  out_of_sequence     4  sysfs
                rxe0/1  send_err            0  sysfs
                rxe0/1  sent_pkts        5007  sysfs
                rxe0/1  ethtool  cannot be read: ethtool: no such program, or not executable

                3 counters of 1 device; 1 could not be read.
                """, out.toString());
    }

    @Test
    void rawOnesHaveTheDriversNames() {
        rxe();
        assertEquals(0, run("--raw", "--nonzero"));
        assertTrue(out.toString().startsWith("rxe0/1  out_of_seq_request     4  sysfs\nrxe0/1  sent_pkts           5007"
                + "  sysfs\n"), out.toString());
    }

    @Test
    void watchingSaysWhatGrewAndWhatWasReset() {
        rxe();
        meanwhile.add(() -> file(COUNTERS + "sent_pkts", "5107"));
        meanwhile.add(() -> file(COUNTERS + "sent_pkts", "3"));
        meanwhile.add(() -> { });
        assertEquals(0, run("--watch", "2", "--count", "4"));
        String text = out.toString();
        assertTrue(text.contains("  reading 2\nrxe0/1  sent_pkts  5107  50/s\n"), text);
        assertTrue(text.contains("  reading 3\nrxe0/1  sent_pkts  3  reset\n"), text);
        assertTrue(text.endsWith("  reading 4\nnothing grew\n"), text);
        assertEquals(1, text.split("cannot be read", -1).length - 1, text);
        assertEquals(77 + 6_000_000_000L, nowNs);
    }

    @Test
    void aCounterThatCannotBeReadForATimeIsNamedWhenThatBeginsAndWhenItIsOver() {
        rxe();
        meanwhile.add(() -> file(COUNTERS + "sent_pkts", "?"));
        meanwhile.add(() -> { });
        meanwhile.add(() -> file(COUNTERS + "sent_pkts", "5607"));
        assertEquals(0, run("--watch", "1", "--count", "4"));
        String text = out.toString();
        assertTrue(text.contains("  reading 2\nrxe0/1  sent_pkts  cannot be read: no number: ?\nnothing grew\n"), text);
        assertTrue(text.contains("  reading 3\nnothing grew\n"), text);
        assertTrue(text.endsWith("  reading 4\nrxe0/1  sent_pkts  5607  200/s\nrxe0/1  sent_pkts  can be read again\n"),
                text);
    }

    @Test
    void aRuleOfARateMakesTwoReadingsAndIsExitCodeOneWhenItsLimitIsPassed() {
        rxe();
        meanwhile.add(() -> file(COUNTERS + "out_of_seq_request", "25"));
        assertEquals(1, run("--alert", "out_of_sequence > 10/s"));
        assertTrue(out.toString().endsWith("ALERT  out_of_sequence > 10/s: rxe0/1 out_of_sequence is 21\n"),
                out.toString());
    }

    @Test
    void anAlertThatIsOverAtTheEndIsStillExitCodeOne() {
        rxe();
        meanwhile.add(() -> file(COUNTERS + "out_of_seq_request", "25"));
        assertEquals(1, run("--alert", "out_of_sequence > 10/s", "--watch", "1", "--count", "3"));
        assertTrue(out.toString().endsWith("OVER   out_of_sequence > 10/s: rxe0/1 out_of_sequence is 0\n"),
                out.toString());
    }

    @Test
    void readingsKeepTheirTimesWhenTheSleepIsLongAndLeaveOutThoseThatAReadingMissed() {
        rxe();
        List<Long> began = new ArrayList<>();
        Tool tool = command -> {
            if (command.get(0).equals("rdma")) {
                began.add((nowNs - 77) / 1_000_000);
                nowNs += began.size() == 3 ? 3_500_000_000L : 0;
            }
            return new Tool.Result("[]", null);
        };
        CountersCommand command = new CountersCommand(HostCounters.of(root, tool), clock, ns ->
                nowNs += ns + 100_000_000);
        assertEquals(0, new CommandLine(command).setOut(new PrintWriter(out)).execute("--watch", "1", "--count", "5"));
        assertEquals("[0, 1100, 2100, 5600, 6700]", began.toString());
    }

    @Test
    void aRuleThatIsKeptIsExitCodeNought() {
        rxe();
        assertEquals(0, run("--alert", "out_of_sequence > 4", "--alert", "default"));
        assertTrue(out.toString().contains("NOT JUDGED, no such counter here: packet_seq_err > 0/s, "), out.toString());
    }

    @Test
    void aRuleWhoseCounterCannotBeReadIsExitCodeThree() {
        rxe();
        file(COUNTERS + "np_cnp_sent", "?\n");
        assertEquals(3, run("--alert", "np_cnp_sent > 0/s"));
        assertTrue(out.toString().endsWith("NOT JUDGED, rxe0/1 np_cnp_sent: no number: ?: np_cnp_sent > 0/s\n"),
                out.toString());
        assertEquals("jvrpc counters: no rule could be judged\n", err.toString());
    }

    /** Somebody wrote it down for a reason; a name with a slip passed for years. */
    @Test
    void aRuleWhoseCounterNeverWasIsExitCodeThreeBesideOneThatIsKept() {
        rxe();
        assertEquals(3, run("--alert", "out_of_sequence > 4", "--alert", "out_of_sequense > 0"));
        assertTrue(out.toString().endsWith("NOT JUDGED, no such counter here: out_of_sequense > 0\n"), out.toString());
        assertEquals("jvrpc counters: 1 of 2 rules could not be judged: out_of_sequense > 0\n", err.toString());
    }

    @Test
    void aRuleThatWasJudgedOnceMayBeBlindAtTheEnd() {
        rxe();
        meanwhile.add(() -> file(COUNTERS + "send_err", "?"));
        assertEquals(0, run("--watch", "1", "--count", "2", "--alert", "out_of_sequence > 4", "--alert",
                "send_err > 0"));
    }

    @Test
    void ofTheDefaultRulesOneIsEnoughAndNoneIsNot() {
        rxe();
        assertEquals(0, run("--alert", "sent_pkts > 9999", "--alert", "default"));
        file("sys/class/infiniband/rxe1/ports/1/hw_counters/sent_pkts", "1\n");
        assertEquals(3, run("--device", "rxe1", "--alert", "sent_pkts > 9999", "--alert", "default"));
        assertTrue(err.toString().startsWith("jvrpc counters: 11 of 12 rules could not be judged: out_of_sequence > 0"),
                err.toString());
    }

    @Test
    void pausesAreToldByTheirLength() {
        String port = "sys/class/infiniband/mlx5_0/ports/1/hw_counters/";
        file(port + "rx_prio3_pause", "10");
        file(port + "rx_prio3_pause_duration", "100");
        file(port + "rx_prio3_pause_transition", "1");
        meanwhile.add(() -> {
            file(port + "rx_prio3_pause", "110");
            file(port + "rx_prio3_pause_duration", "2600");
            file(port + "rx_prio3_pause_transition", "51");
        });
        assertEquals(0, run("--watch", "1", "--count", "2"));
        String text = out.toString();
        assertTrue(text.endsWith("mlx5_0/1  priority 3 is paused 0.250 % of the time, 50 us each, every 20000 us\n"),
                text);
        assertTrue(text.contains("mlx5_0/1  rx_prio3_pause_duration    2600 us  2500 us/s\n"), text);
    }

    @Test
    void jsonIsOneObjectAReading() throws IOException {
        rxe();
        file(COUNTERS + "odd", "x\"\n");
        meanwhile.add(() -> file(COUNTERS + "sent_pkts", "5107"));
        assertEquals(1, run("--json", "--watch", "2", "--count", "2", "--alert", "sent_pkts > 10/s"));
        String[] lines = out.toString().split("\n");
        assertEquals(2, lines.length);
        JsonNode second = new ObjectMapper().readTree(lines[1]);
        assertEquals(1_002_000, second.get("atMs").asLong());
        JsonNode sent = second.get("counters").get(2);
        assertEquals("{\"device\":\"rxe0\",\"port\":1,\"name\":\"sent_pkts\",\"origin\":\"sysfs\",\"value\":5107,"
                + "\"unit\":\"count\",\"perSecond\":50.0}", sent.toString());
        assertEquals("no number: x\"", second.get("unreadable").get(1).get("why").asText());
        assertEquals("ethtool", second.get("unreadable").get(0).get("name").asText());
        assertTrue(second.get("alerts").get(0).get("raised").asBoolean());
        assertTrue(new ObjectMapper().readTree(lines[0]).get("counters").get(2).get("perSecond").isNull());
    }

    private String fetched() {
        String url = err.toString().lines().filter(line -> line.startsWith("serving ")).findFirst().orElseThrow()
                .substring("serving ".length());
        try (InputStream in = URI.create(url).toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void prometheusGetsTheLastReadingAndPeopleTheAlerts() {
        rxe();
        String[] text = new String[2];
        meanwhile.add(() -> {
            text[0] = fetched();
            file(COUNTERS + "out_of_seq_request", "44");
        });
        assertEquals(1, run("--prometheus", "0", "--count", "2", "--alert", "out_of_sequence > 1/s"));
        assertTrue(text[0].contains("# TYPE jvrpc_out_of_sequence_total counter\njvrpc_out_of_sequence_total{"
                + "device=\"rxe0\",port=\"1\",origin=\"sysfs\"} 4\n"), text[0]);
        assertTrue(text[0].contains("jvrpc_counter_unreadable{device=\"rxe0\",port=\"1\",counter=\"ethtool\",why=\""
                + "ethtool: no such program, or not executable\"} 1\n"), text[0]);
        assertEquals("ALERT  out_of_sequence > 1/s: rxe0/1 out_of_sequence is 4\n", out.toString());
        assertEquals(77 + 10_000_000_000L, nowNs);
    }

    @Test
    void whatAnotherServesIsReadUnderTheSameNames() {
        rxe();
        meanwhile.add(() -> {
            String url = err.toString().strip().substring("serving ".length());
            StringWriter there = new StringWriter();
            assertEquals(0, new CommandLine(new CountersCommand()).setOut(new PrintWriter(there))
                    .execute("--from", url));
            assertTrue(there.toString().startsWith("rxe0/1  out_of_sequence     4  http://127.0.0.1:"),
                    there.toString());
            assertTrue(there.toString().contains("rxe0/1  ethtool  cannot be read: ethtool: "), there.toString());
        });
        assertEquals(0, run("--prometheus", "0", "--count", "2"));
        assertTrue(meanwhile.isEmpty());
    }

    @Test
    void aPortThatIsTakenIsExitCodeThree() throws IOException {
        rxe();
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertEquals(3, run("--prometheus", Integer.toString(taken.getLocalPort()), "--count", "1"));
            assertTrue(err.toString().startsWith("jvrpc counters: cannot bind 127.0.0.1 port "), err.toString());
        }
    }

    @Test
    void aHostWithoutDevicesIsExitCodeThreeWithACure() {
        assertEquals(3, run());
        assertTrue(err.toString().startsWith("jvrpc counters: no RDMA device: "), err.toString());
        assertTrue(err.toString().contains("rdma link add"), err.toString());
        assertEquals("", out.toString());
    }

    @Test
    void anUnknownDeviceIsExitCodeThreeWithThoseThatThereAre() {
        rxe();
        assertEquals(3, run("--device", "mlx5_9"));
        assertEquals("jvrpc counters: no device or interface 'mlx5_9'; devices: rxe0\n", err.toString());
    }

    @Test
    void nothingThatCanBeReadIsExitCodeThree() throws IOException {
        Files.createDirectories(root.resolve(RXE + "ports/1"));
        assertEquals(3, run());
        assertTrue(out.toString().contains("rxe0/1  counters  cannot be read: the driver has none\n"), out.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--watch 0", "--watch NaN", "--watch 86401", "--count 0", "--alert nonsense",
        "--raw --alert link_downed>0", "--watch x", "extra", "--prometheus 70000", "--bind 127.0.0.1",
        "--from ftp://x", "--from 127.0.0.1:80"})
    void wrongArgumentsAreExitCodeTwo(String args) {
        rxe();
        assertEquals(2, run(args.split(" ")));
        assertEquals("", out.toString());
    }

    @Test
    void anInterruptEndsItWithWhatWasFound() {
        rxe();
        Tool tool = command -> new Tool.Result("[]", null);
        CountersCommand command = new CountersCommand(HostCounters.of(root, tool), clock, ns -> {
            throw new InterruptedException();
        });
        assertEquals(1, new CommandLine(command).setOut(new PrintWriter(out)).execute("--watch", "1", "--alert",
                "sent_pkts > 1"));
        assertTrue(Thread.interrupted());
    }
}
