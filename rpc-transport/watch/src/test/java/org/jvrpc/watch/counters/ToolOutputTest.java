package org.jvrpc.watch.counters;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.testing.Waits;

/** What programs print, and how they are run. */
class ToolOutputTest {

    private static String rdma(String text) {
        try (CounterTable table = CounterTable.ofEach(List.of(
                new RdmaStatistic(command -> Tool.Result.of(text), "rxe0", "rxe", false)), () -> 0)) {
            return FakeRoot.lines(table.read());
        }
    }

    @Test
    void rdmasJsonIsReadPrettyOrNot() {
        String read = rdma(FakeRoot.resource("rdma-statistic-rxe0.json"));
        assertEquals("rxe0/1 sent_pkts 5007 COUNT of rdma statistic\nrxe0/1 rcvd_pkts 5007 COUNT of rdma statistic\n"
                + "rxe0/1 duplicate_request 3 COUNT of rdma statistic\n"
                + "rxe0/1 out_of_sequence 0 COUNT of rdma statistic\n"
                + "rxe0/1 rnr_nak_retry_err 0 COUNT of rdma statistic\n"
                + "rxe0/1 send_rnr_err 0 COUNT of rdma statistic\nrxe0/1 packet_seq_err 0 COUNT of rdma statistic\n"
                + "rxe0/1 ack_deferred 1 COUNT of rdma statistic\n"
                + "rxe0/1 req_transport_retries_exceeded 0 COUNT of rdma statistic\n"
                + "rxe0/1 req_rnr_retries_exceeded 0 COUNT of rdma statistic\n"
                + "rxe0/1 completer_retry_err 1 COUNT of rdma statistic\nrxe0/1 send_err 0 COUNT of rdma statistic\n"
                + "rxe0/1 link_downed 0 COUNT of rdma statistic\nrxe0/1 rdma_sends 1000 COUNT of rdma statistic\n"
                + "rxe0/1 rdma_recvs 1000 COUNT of rdma statistic\n", read);
        assertEquals(read, rdma(FakeRoot.resource("rdma-statistic-rxe0-pretty.json")));
    }

    @Test
    void rowsOfOtherDevicesAndDeeperValuesArePassedOver() {
        assertEquals("rxe0/2 sent_pkts 3 COUNT of rdma statistic\n", rdma("[{\"ifname\":\"rxe1\",\"port\":1,\"a\":1},"
                + "{\"ifname\":\"rxe0\",\"port\":2,\"deep\":{\"x\":[1,{\"y\":\"z\"}]},\"none\":[],"
                + "\"sent_pkts\":3},{}]"));
    }

    @Test
    void aValueThatIsNoNumberIsNamed() {
        assertEquals("rxe0/1 sent_pkts ? no number: null of rdma statistic\n"
                + "rxe0/1 rcvd_pkts ? no number: \"7\" of rdma statistic\nrxe0/1 send_err ? no number: 1.5 of rdma"
                + " statistic\n", rdma("[{\"ifname\":\"rxe0\",\"port\":1,\"sent_pkts\":null,\"rcvd_pkts\":\"7\","
                + "\"send_err\":1.5}]"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "[{]", "[{\"a\"}]", "[{\"a\":}]", "[{\"a\":1}", "[{\"a\":1} {}]", "[] x", "{}", "17",
        "[{\"a", "[{\"a\\", "[{\"a\":\"\\\"}]", "[{1:2}]", "Wrong device name\n[]"})
    void textThatIsNotItsJsonIsNamedWithThePlace(String text) {
        String read = rdma(text);
        assertTrue(read.matches("rxe0 rdma statistic \\? rdma: not its JSON: .* at [0-9]+ of " + text.length()
                + " of rdma statistic\n"), read);
    }

    @Test
    void depthIsBounded() {
        String deep = "[".repeat(30_000);
        IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class,
                () -> JsonRows.parse("[{\"a\":" + deep));
        assertTrue(refusal.getMessage().startsWith("deeper than 20"), refusal.getMessage());
    }

    private static String ethtool(String text) {
        try (CounterTable table = CounterTable.ofEach(List.of(new EthtoolCounters(command -> Tool.Result.of(text),
                "eth0", "mlx5_0", 1, "mlx5_core", true, false)), () -> 0)) {
            return FakeRoot.lines(table.read());
        }
    }

    @ParameterizedTest
    @CsvSource({"rx_prio3_pause, rx_prio3_pause", "tx_pfc_ena_frames_pri3, tx_prio3_pause",
        "pfc_pri5_rx_duration_us, rx_prio5_pause_duration", "pfc_pri5_rx_transitions, rx_prio5_pause_transition",
        "rx_priority_0_xoff.nic, rx_prio0_pause", "port.tx_priority_7_xoff, tx_prio7_pause",
        "rx_pause_prio_4, rx_prio4_pause", "tx_pause_duration_prio_4, tx_prio4_pause_duration",
        "rx_octets_prio_1, rx_prio1_bytes", "rx_priority_0_xon.nic, rx_priority_0_xon.nic"})
    void pausesHaveOneNameWhoeverMadeTheCard(String driversName, String name) {
        assertTrue(ethtool("NIC statistics:\n     " + driversName + ": 7\n").startsWith("mlx5_0/1 " + name + " 7 "),
                driversName);
    }

    @Test
    void oddLinesOfEthtoolAreNamedOrPassedOver() {
        assertEquals("mlx5_0/1 rxq0_rx_bytes 17 BYTES of ethtool\nmlx5_0/1 a ? no number: x of ethtool\n"
                + "mlx5_0/1 b ? empty of ethtool\nmlx5_0/1 c 18446744073709551615 COUNT of ethtool\n",
                ethtool("NIC statistics:\n     rxq0: rx_bytes: 17\n     a: x\n\n     b:\n  :  \nnoise: 3\n"
                        + "     c: 18446744073709551615\n"));
    }

    @Test
    void whatATerminalWouldObeyIsNotShown() {
        assertEquals("mlx5_0/1 a_[1m ? no number: x [2J of ethtool\n", ethtool("     a\u001b[1m: x\u001b[2J\n"));
    }

    @Test
    void whateverIsPrintedThereAreReadingsAndNoFailure() {
        Random random = new Random(17);
        String[] golden = {FakeRoot.resource("rdma-statistic-rxe0.json"), FakeRoot.resource("ethtool-mlx5.txt"),
            "jvrpc_sent_pkts_total{device=\"rxe0\",port=\"1\",origin=\"sysfs\"} 5007\njvrpc_counter_unreadable{device="
                + "\"r\\\"0\",port=\"1\",counter=\"x\",why=\"no\\n\"} 1\n"};
        for (int i = 0; i < 3_000; i++) {
            StringBuilder text = new StringBuilder(golden[i % golden.length]);
            for (int edits = 1 + random.nextInt(8); edits > 0; edits--) {
                int at = random.nextInt(text.length());
                switch (random.nextInt(3)) {
                    case 0 -> text.setCharAt(at, "\"\\{}[]:, \n\u00000x".charAt(random.nextInt(13)));
                    case 1 -> text.insert(at, text.substring(at, Math.min(text.length(), at + 20)));
                    default -> text.setLength(Math.max(1, at));
                }
            }
            int turn = i;
            assertDoesNotThrow(() -> {
                rdma(text.toString());
                ethtool(text.toString());
                ServedCounters.parse(text.toString());
            }, () -> "turn=" + turn + " text=" + text);
        }
    }

    @Test
    void aProgramsOutputIsItsText() {
        assertEquals("a\nb\n", Tool.SYSTEM.run(List.of("printf", "a\\nb\\n")).text());
    }

    @Test
    void aProgramThatIsNotThereOrFailsSaysWhy() {
        Tool.Result missing = Tool.SYSTEM.run(List.of("jvrpc-no-such-program"));
        assertNull(missing.text());
        assertEquals("jvrpc-no-such-program: no such program, or not executable", missing.refusal());
        assertEquals("sh: exit code 3", Tool.SYSTEM.run(List.of("sh", "-c", "exit 3")).refusal());
        assertEquals("sh: not so", Tool.SYSTEM.run(List.of("sh", "-c", "echo not so >&2; exit 1")).refusal());
    }

    @Test
    void aProgramThatHangsIsEndedWithItsChildren(@TempDir Path folder) throws Exception {
        Path pid = folder.resolve("pid");
        int limitMs = 250;
        do { // until the shell gets so far
            limitMs *= 2;
            Tool.Result result = ToolRun.run(List.of("sh", "-c", "sleep 600 & echo $! > " + pid + "; wait"), limitMs);
            assertEquals("sh: no end within " + limitMs + " ms", result.refusal());
        } while ((!Files.exists(pid) || Files.size(pid) == 0) && limitMs < 60_000);
        ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
                .ifPresent(child -> child.onExit().orTimeout(Waits.limitNs(), TimeUnit.NANOSECONDS).join());
    }

    @Test
    void aProgramThatFailsWithoutAWordOnStderrIsQuoted() {
        assertEquals("sh: not so", Tool.SYSTEM.run(List.of("sh", "-c", "echo not so; exit 1")).refusal());
    }

    /** As one in state D is. */
    private static final class Endless extends Process {
        private final CountDownLatch gone = new CountDownLatch(1);
        private final InputStream silence = new InputStream() {
            @Override
            public int read() throws IOException {
                try {
                    gone.await();
                    return -1;
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
        };

        @Override
        public OutputStream getOutputStream() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public InputStream getInputStream() {
            return silence;
        }

        @Override
        public InputStream getErrorStream() {
            return silence;
        }

        @Override
        public int waitFor() throws InterruptedException {
            gone.await();
            return 0;
        }

        @Override
        public int exitValue() {
            if (isAlive()) {
                throw new IllegalThreadStateException();
            }
            return 0;
        }

        @Override
        public boolean waitFor(long timeout, TimeUnit unit) {
            return !isAlive();
        }

        @Override
        public boolean isAlive() {
            return gone.getCount() > 0;
        }

        @Override
        public Process destroyForcibly() {
            return this; // it does not heed it
        }

        @Override
        public void destroy() {
            // nor this
        }

        @Override
        public Stream<ProcessHandle> descendants() {
            return Stream.empty();
        }

        @Override
        public long pid() {
            return 4711;
        }
    }

    private static long readers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("jvrpc-reads-endless")).count();
    }

    /** Each has two threads that read of it. */
    @Test
    void aProgramThatCannotBeEndedIsBegunOnceUntilItIsGone() {
        List<String> command = List.of("endless", "-S", "eth0");
        List<Endless> begun = new ArrayList<>();
        ToolRun.Starter starter = words -> {
            begun.add(new Endless());
            return begun.get(begun.size() - 1);
        };
        assertEquals("endless: no end within 7 ms", ToolRun.run(command, 7, starter).refusal());
        for (int i = 0; i < 5; i++) {
            assertEquals("endless: process 4711 of an earlier reading cannot be ended",
                    ToolRun.run(command, 7, starter).refusal());
        }
        assertEquals(1, begun.size());
        assertEquals(2, readers());
        assertEquals("endless: no end within 7 ms", ToolRun.run(List.of("endless", "-S", "eth1"), 7, starter).refusal(),
                "another interface is not kept from being read");
        begun.forEach(one -> one.gone.countDown());
        Waits.until("its readers to end", () -> readers() == 0);
        assertEquals("endless: no end within 7 ms", ToolRun.run(command, 7, starter).refusal());
        begun.get(2).gone.countDown();
    }

    /** What left its parent is not found any more, and has the output open. */
    @Test
    void aChildThatOutlivesItsProgramWithTheOutputIsNotAddedTo(@TempDir Path folder) throws Exception {
        Path pid = folder.resolve("pid");
        String refusal = null;
        for (int seconds = 1; refusal == null && seconds < 60; seconds *= 2) {
            // Java takes what an ended program has printed so far for all, unless somebody reads by then.
            List<String> command = List.of("sh", "-c", "setsid sleep 600 & echo $! > " + pid + "; sleep " + seconds);
            refusal = ToolRun.run(command, 120_000).refusal();
            long child = Long.parseLong(Files.readString(pid).strip());
            try {
                if (refusal != null) {
                    assertEquals("sh: an earlier one's child still has its output",
                            ToolRun.run(command, 120_000).refusal());
                    assertEquals(child, Long.parseLong(Files.readString(pid).strip()), "it was run again");
                }
            } finally {
                ProcessHandle.of(child).ifPresent(ProcessHandle::destroyForcibly);
            }
        }
        assertEquals("sh: its output cannot be read", refusal);
    }

    @Test
    void aProgramThatNeverStopsTalkingIsNotKept() {
        assertEquals("sh: prints more than 4194304 bytes", Tool.SYSTEM.run(List.of("sh", "-c",
                "head -c 5000000 /dev/zero")).refusal());
    }
}
