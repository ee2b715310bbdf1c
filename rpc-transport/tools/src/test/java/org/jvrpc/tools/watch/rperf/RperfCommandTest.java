package org.jvrpc.tools.watch.rperf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.watch.rperf.control.ControlServer;
import org.jvrpc.watch.rperf.verbs.PairSink;
import org.jvrpc.watch.rperf.verbs.VerbsMeasurement;
import picocli.CommandLine;

/** Exit codes and what is printed. */
class RperfCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... words) {
        return new CommandLine(new RperfCommand()).setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true)).execute(words);
    }

    private int runToSink(String... words) throws InterruptedException {
        try (PairSink sink = PairSink.open("roce://127.0.0.1:0", 4096)) {
            Thread thread = new Thread(sink::run, "sink");
            thread.start();
            try {
                String[] all = new String[words.length + 3];
                all[0] = "run";
                all[1] = "--to";
                all[2] = sink.address();
                System.arraycopy(words, 0, all, 3, words.length);
                return run(all);
            } finally {
                sink.stop();
                thread.join(30_000);
            }
        }
    }

    @Test
    void whatIsMeasuredIsPrintedAndDrawn(@TempDir Path folder) throws Exception {
        Path svg = folder.resolve("h.svg");
        Path png = folder.resolve("h.png");
        assertEquals(0, runToSink("--seconds", "0.1", "--warm-up", "0", "--size", "64,512", "--svg", svg.toString(),
                "--png", png.toString()), err::toString);
        assertTrue(out.toString().contains(": 512 B") && out.toString().contains("RTT, us: mean"), out::toString);
        assertTrue(out.toString().contains("p99.99 needs 10^5 samples"), out::toString);
        assertTrue(Files.readString(svg).startsWith("<svg"));
        assertTrue(Files.size(png) > 1000);
    }

    @Test
    void aLimitThatIsPassedIsFound() throws Exception {
        assertEquals(1, runToSink("--seconds", "0.05", "--warm-up", "0", "--json", "--limit-p99", "1ns"),
                err::toString);
        assertTrue(out.toString().startsWith("{\"results\":[{") && out.toString().contains("\"found\":[\"roce://"),
                out::toString);
        assertEquals(1, out.toString().lines().count());
    }

    @Test
    void whereNobodyAnswersNothingIsMeasuredAndOneLineSaysSo() {
        assertEquals(3, run("run", "--to", "shm://rperf-nobody-" + ProcessHandle.current().pid(), "--seconds", "0.1"));
        assertEquals(1, err.toString().lines().count(), err::toString);
        assertTrue(err.toString().contains("Cure: "), err::toString);
        assertEquals("", out.toString());
    }

    @Test
    void aPictureThatCannotBeWrittenIsSaid(@TempDir Path folder) throws Exception {
        assertEquals(3, runToSink("--seconds", "0.05", "--warm-up", "0", "--svg",
                folder.resolve("none/h.svg").toString()));
        assertTrue(err.toString().contains("none/h.svg"), err::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--size 0", "--size 64:32:x2", "--size 64:128:x1", "--size 2000000", "--size a",
        "--rate -1", "--rate 1 --burst 2/1us", "--burst 2", "--burst 9999/1us", "--on-off 1ms", "--on-off 1ms/0s",
        "--qps 0", "--qps 65", "--sl 8", "--sl -1", "--sl x", "--sl 0,3",
        "--sl 0,1,8 --qps 3", "--outstanding 0", "--seconds 0", "--seconds 1e9", "--warm-up -1", "--limit-p99 5",
        "--what"})
    void wrongArgumentsAreNamed(String words) {
        String[] all = ("run --to roce://127.0.0.1:1 " + words).split(" ");
        assertEquals(2, run(all));
        assertTrue(err.toString().contains(all[3]) || err.toString().contains("="), err::toString);
    }

    @Test
    void anAddressWithoutASchemeIsRefused() {
        assertEquals(2, run("run", "--to", "10.0.0.2:7471"));
        assertEquals(2, run("run", "--to", "nosuch://10.0.0.2:7471"));
        assertEquals(2, run());
    }

    @Test
    void anAgentEndsAfterItsTime() {
        assertEquals(0, run("agent", "--device", "roce://127.0.0.1:0", "--seconds", "0.05"));
        assertTrue(out.toString().startsWith("device roce://127.0.0.1:"), out::toString);
    }

    /** Two agents measure to a third; all are of this process. */
    @Test
    void agentsAreDrivenFromOnePlace() throws Exception {
        List<PairSink> sinks = new ArrayList<>();
        List<ControlServer> servers = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        List<String> at = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                PairSink sink = PairSink.open("roce://127.0.0.1:0", 4096);
                sinks.add(sink);
                Thread thread = new Thread(sink::run, "sink " + i);
                thread.start();
                threads.add(thread);
                ControlServer server = ControlServer.open(new InetSocketAddress("127.0.0.1", 0),
                        Control.keys(null, List.of()), sink.address(), VerbsMeasurement::prepare);
                servers.add(server);
                at.add("127.0.0.1:" + server.port());
            }
            assertEquals(0, run("run", "--from", at.get(0) + "," + at.get(1), "--to", at.get(2), "--seconds", "0.1",
                    "--warm-up", "0", "--sl", "5"), err::toString);
            assertTrue(out.toString().contains(at.get(0) + " sl=5: 64 B")
                    && out.toString().contains(at.get(1) + " sl=5: 64 B")
                    && out.toString().contains("together: 64 B"), out::toString);
        } finally {
            servers.forEach(ControlServer::close);
            for (int i = 0; i < sinks.size(); i++) {
                sinks.get(i).stop();
                threads.get(i).join(30_000);
                sinks.get(i).close();
            }
        }
    }

    @Test
    void whereNoAgentTakesCommandsOneLineSaysSo() {
        assertEquals(3, run("run", "--from", "127.0.0.1:1", "--to", "127.0.0.1:1", "--seconds", "0.1"));
        assertEquals(1, err.toString().lines().count(), err::toString);
        assertTrue(err.toString().contains("127.0.0.1:1: ") && err.toString().contains("Cure: "), err::toString);
    }

    @Test
    void aKeyFileThatIsNoRegularFileIsRefusedAtOnce(@TempDir Path folder) throws Exception {
        Path pipe = folder.resolve("pipe");
        assertEquals(0, new ProcessBuilder("mkfifo", "-m", "600", pipe.toString()).start().waitFor());
        for (Path file : List.of(pipe, folder)) {
            assertEquals(3, run("run", "--to", "10.0.0.2:5", "--from", "127.0.0.1:80", "--key-file", file.toString()));
            assertTrue(err.toString().contains(file + ": not a regular file"), err.toString());
        }
    }

    @Test
    void anotherHostsAgentNeedsAKey(@TempDir Path folder) throws IOException {
        assertEquals(2, run("run", "--from", "192.0.2.1:7480", "--to", "roce://127.0.0.1:1"));
        assertTrue(err.toString().contains("--key-file"), err::toString);
        assertEquals(2, run("agent", "--device", "roce://127.0.0.1:0", "--listen", "0.0.0.0:0"));
        Path open = Files.writeString(folder.resolve("keys"), "1:" + "0f".repeat(16));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
        assertEquals(3, run("agent", "--device", "roce://127.0.0.1:0", "--listen", "127.0.0.1:0", "--key-file",
                open.toString()));
        assertTrue(err.toString().contains("chmod 600"), err::toString);
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-------"));
        assertEquals(0, run("agent", "--device", "roce://127.0.0.1:0", "--listen", "127.0.0.1:0", "--key-file",
                open.toString(), "--seconds", "0.05"));
        assertTrue(out.toString().contains("commands 127.0.0.1:"), out::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "x:", ":1", "x:65536", "::1:7480", "a/b:1"})
    void placesOfAgentsThatAreNoneAreRefused(String word) {
        assertEquals(2, run("run", "--from", word, "--to", "roce://127.0.0.1:1"));
        assertTrue(err.toString().contains(word), err::toString);
    }

    @Test
    void serviceLevelsAreSaidWithTheResult() throws Exception {
        assertEquals(0, runToSink("--seconds", "0.05", "--warm-up", "0", "--qps", "2", "--sl", "0,3"), err::toString);
        assertTrue(out.toString().contains(" sl=0,3: 64 B"), out::toString);
    }

    @Test
    void serviceLevelsOfAHostsOwnMemoryAreRefused() {
        assertEquals(3, run("run", "--to", "shm://rperf-nobody", "--sl", "3"));
        assertEquals(1, err.toString().lines().count(), err::toString);
    }

    @Test
    void anAgentWhoseDeviceRefusesSaysWhy() {
        assertEquals(3, run("agent", "--device", "roce://192.0.2.1:7471"));
        assertEquals(1, err.toString().lines().count(), err::toString);
        assertEquals(2, run("agent", "--device", "roce://127.0.0.1:0", "--most-bytes", "0"));
    }

    @Test
    void theFabricTellsErrorsAgainstTheTruth() {
        assertEquals(0, run("fabric", "--way", "spine", "--load", "0", "--milliseconds", "2"), out::toString);
        assertTrue(out.toString().lines().anyMatch(line -> line.startsWith("spine")), out::toString);
        assertEquals(2, run("fabric", "--load", "96"));
        assertEquals(2, run("fabric", "--way", "moon"));
        assertEquals(2, run("fabric", "--item", "0ns"));
    }

    @Test
    void sizesAreListsAndSweeps() {
        assertEquals(List.of(64, 128, 256, 4096), Words.sizes("64:256:x2,4096"));
        assertEquals(2_500_000, Words.timeNs("--x", "2.5ms"));
        assertThrows(IllegalArgumentException.class, () -> Words.timeNs("--x", "1h"));
    }
}
