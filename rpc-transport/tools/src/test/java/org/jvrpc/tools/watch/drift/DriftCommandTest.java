package org.jvrpc.tools.watch.drift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.watch.Clock;
import org.jvrpc.watch.drift.ConfigurationSource;
import org.jvrpc.watch.drift.Setting;
import picocli.CommandLine;

/** Exit codes and what is printed. */
class DriftCommandTest {

    private static final long DAY_MS = 1_750_000_000_000L;

    private final SortedMap<String, Setting> settings = new TreeMap<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private long nowMs = DAY_MS;
    private List<ConfigurationSource> sources = List.of(new ConfigurationSource() {
        @Override
        public Kind kind() {
            return Kind.HOST;
        }

        @Override
        public String subject() {
            return "h1/mlx5_0/1";
        }

        @Override
        public Place place() {
            return new Place("mlx5_0", "1", "eth0", "/cc/");
        }

        @Override
        public SortedMap<String, Setting> read() {
            return settings;
        }
    });

    @TempDir
    private Path folder;
    private Path wanted;

    @BeforeEach
    void write() throws IOException {
        wanted = Files.writeString(folder.resolve("wanted.yaml"), "hosts: {mtu: 4200, firmware: 16.35.2000}\n");
        settings.put("mtu", Setting.of("4200"));
        settings.put("firmware", Setting.of("16.35.2000"));
    }

    private int run(String... words) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        Clock clock = new Clock() {
            @Override
            public long nowNs() {
                return 0;
            }

            @Override
            public long wallMs() {
                return nowMs;
            }
        };
        return new CommandLine(new DriftCommand(host -> sources, clock)).setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true)).execute(words);
    }

    @Test
    void allAsWantedIsZero() {
        assertEquals(0, run(wanted.toString()));
        assertEquals("0 differ, 0 could not be read, 2 are as wanted.", out.toString().strip());
    }

    @Test
    void aDifferenceIsOneWithBothTimesAndWhatWouldBeDone() {
        String state = folder.resolve("state").toString();
        assertEquals(0, run(wanted.toString(), "--state", state));
        settings.put("mtu", Setting.of("1500"));
        nowMs += 60_000;
        assertEquals(1, run(wanted.toString(), "--state", state));
        assertEquals(List.of("DIFFERS     h1/mlx5_0/1  mtu is 1500, wanted 4200; since some time between"
                + " 2025-06-15T15:06:40Z and 2025-06-15T15:07:40Z",
                "            would: ip link set dev eth0 mtu 4200",
                "1 differ, 0 could not be read, 1 are as wanted."), out.toString().lines().toList());
    }

    @Test
    void whatCannotBeReadIsThreeWhenNothingDiffersAndOneElse() {
        settings.put("firmware", Setting.refused("permission denied"));
        assertEquals(3, run(wanted.toString()));
        assertTrue(out.toString().startsWith("unreadable  h1/mlx5_0/1  firmware: permission denied"), out::toString);
        settings.put("mtu", Setting.of("1500"));
        assertEquals(1, run(wanted.toString()));
    }

    @Test
    void jsonIsOneObject() {
        settings.put("mtu", Setting.of("1500"));
        assertEquals(1, run(wanted.toString(), "--json"));
        assertEquals("{\"atMs\":1750000000000,\"same\":1,\"differ\":[{\"kind\":\"host\",\"subject\":\"h1/mlx5_0/1\","
                + "\"key\":\"mtu\",\"wanted\":\"4200\",\"found\":\"1500\",\"sinceMs\":1750000000000,\"notBeforeMs\":-1,"
                + "\"remedy\":\"ip link set dev eth0 mtu 4200\"}],\"unreadable\":[],\"notes\":[]}",
                out.toString().strip());
    }

    @Test
    void aFileThatIsWrongIsTwoWithThePlaceOfTheMistake() throws IOException {
        Files.writeString(wanted, "hosts:\n  mtuu: 4200\n");
        assertEquals(2, run(wanted.toString()));
        assertEquals(wanted + ":2:3: hosts: unknown key 'mtuu', did you mean 'mtu'?", err.toString().strip());
        assertEquals(2, run(folder.resolve("none").toString()));
        assertTrue(err.toString().contains("none: NoSuchFile"), err::toString);
    }

    @Test
    void aStateThatIsBrokenIsTwoAndLeftAsItIs() throws IOException {
        Path state = Files.writeString(folder.resolve("state"), "something else\n");
        assertEquals(2, run(wanted.toString(), "--state", state.toString()));
        assertTrue(err.toString().contains("no state of jvrpc drift"), err::toString);
        assertEquals("something else\n", Files.readString(state));
    }

    @Test
    void aStateThatCannotBeWrittenIsSaidAndNoSuccess() {
        assertEquals(3, run(wanted.toString(), "--state", folder.resolve("no/such/folder").toString()));
        assertTrue(err.toString().startsWith("Not remembered: "), err::toString);
    }

    @Test
    void aHostWithoutDevicesIsThreeWithACure() {
        sources = List.of();
        assertEquals(3, run(wanted.toString()));
        assertTrue(err.toString().contains("Cure: "), err::toString);
    }

    @Test
    void aFileThatWantsNothingOfThisHostIsThreeAndSaysSo() throws IOException {
        Files.writeString(wanted, "fabric: {alpha: 1/16}\n");
        assertEquals(3, run(wanted.toString()));
        assertTrue(out.toString().contains("no switch is told of here"), out::toString);
    }

    @Test
    void whatOneHostPrintsIsComparedOnAnother() throws IOException {
        settings.put("trust", Setting.refused("no /sys/class/net/eth0/qos/trust"));
        assertEquals(0, run("--print"));
        Path found = Files.writeString(folder.resolve("h1.json"), out.toString());
        sources = List.of();
        Files.writeString(wanted, "hosts: {mtu: 9000, firmware: 16.35.2000, trust: dscp}\n");
        assertEquals(1, run(wanted.toString(), "--found", found.toString()));
        assertEquals(List.of("DIFFERS     h1/mlx5_0/1  mtu is 4200, wanted 9000",
                "            would: ip link set dev eth0 mtu 9000",
                "unreadable  h1/mlx5_0/1  trust: no /sys/class/net/eth0/qos/trust",
                "1 differ, 1 could not be read, 1 are as wanted."), out.toString().lines().toList());
    }

    private static ConfigurationSource port(int number, SortedMap<String, Setting> all) {
        return new ConfigurationSource() {
            @Override
            public Kind kind() {
                return Kind.HOST;
            }

            @Override
            public String subject() {
                return "h" + number + "/mlx5_0/1";
            }

            @Override
            public SortedMap<String, Setting> read() {
                return all;
            }
        };
    }

    /** Each port has a reason for each of some hundred settings; texts are as long as the kernel may make them. */
    @Test
    void whatIsPrintedOfAThousandPortsIsRead() throws IOException {
        settings.put("firmware", Setting.of("odd \u007f\u0000\u0085\u2028\ud83d\ude00\ufffd \"<\\"
                + "x".repeat(1_000)));
        for (int i = 0; i < 64; i++) {
            settings.put("dscp." + i + ".class", Setting.refused("dcb: no such program, or not executable, and so on: "
                    + "y".repeat(60)));
        }
        SortedMap<String, Setting> longest = new TreeMap<>(settings);
        longest.put("trust", Setting.refused("/sys/class/net/" + "z".repeat(9_000)));
        sources = IntStream.range(0, 1_000).mapToObj(i -> port(i, i == 0 ? longest : settings)).toList();
        assertEquals(0, run("--print"));
        assertTrue(out.getBuffer().length() > 8 << 20, "bytes=" + out.getBuffer().length());
        Path found = Files.writeString(folder.resolve("all.json"), out.toString());
        sources = List.of();
        Files.writeString(wanted, "hosts: {mtu: 9000}\n");
        assertEquals(1, run(wanted.toString(), "--found", found.toString()), err::toString);
        assertTrue(out.toString().endsWith("1000 differ, 0 could not be read, 0 are as wanted.\n"));
    }

    @Test
    void moreThanIsReadIsNotPrinted() {
        settings.put("firmware", Setting.of("x".repeat(4_096)));
        sources = IntStream.range(0, 5_000).mapToObj(i -> port(i, settings)).toList();
        assertEquals(3, run("--print"));
        assertEquals("", out.toString());
        assertTrue(err.toString().matches("(?s)what was found has 5000 subjects in \\d+ bytes, at most 10000 in"
                + " 16777216 are read again: print fewer at a time\n"), err::toString);
    }

    @Test
    void whatIsNoRegularFileIsTwoAtOnce() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        for (Path file : List.of(folder, pipe)) {
            assertEquals(2, run(file.toString()));
            assertEquals(file + ": not a regular file", err.toString().strip());
            assertEquals(2, run(wanted.toString(), "--found", file.toString()));
            assertEquals(file + ": not a regular file", err.toString().strip());
            assertEquals(2, run(wanted.toString(), "--state", file.toString()));
            assertEquals(file + ": not a regular file", err.toString().strip());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "{}", "{\"found\":[{}]}", "{\"found\":[{\"subject\":\"a\",\"kind\":\"toaster\"}]}",
        "{\"found\":[{\"subject\":\"a\",\"kind\":\"host\",\"settings\":{\"mtu\":[1]}}]}", "{"})
    void whatIsNoPrintIsTwoWithItsPlace(String text) throws IOException {
        Path found = Files.writeString(folder.resolve("h1.json"), text);
        assertEquals(2, run(wanted.toString(), "--found", found.toString()));
        assertTrue(err.toString().startsWith(found.toString()), err::toString);
    }

    @Test
    void whatAHostSaysReachesNoTerminalAsItIs() {
        settings.put("firmware", Setting.of("1\u001b[2J\u202e2"));
        assertEquals(1, run(wanted.toString()));
        assertTrue(out.toString().contains("firmware is 1?[2J?2, wanted"), out::toString);
    }

    @Test
    void wrongArgumentsAreTwoAndHelpNamesTheCodes() {
        assertEquals(2, run());
        assertTrue(err.toString().contains("which file says what is wanted?"), err::toString);
        assertEquals(2, run(wanted.toString(), "--print"));
        assertEquals(2, run("incident", "--poll", "0"));
        String help = new CommandLine(new DriftCommand()).getUsageMessage();
        assertTrue(help.contains("Exit code 0 when all is as wanted"), help);
    }

    @Test
    void theIncidentIsFoundAndRepaired() {
        assertEquals(1, run("incident"));
        assertTrue(out.toString().contains("150.0 ms  found: alpha of T0 is 1/64, wanted 1/16"), out::toString);
        assertEquals(1, run("incident", "--repair", "--json"));
        assertTrue(out.toString().contains("\"firstPauseNs\":-1,\"pauses\":0,"), out::toString);
        assertEquals(1, run("incident", "--poll", "300", "--repair"));
        assertTrue(out.toString().contains("300.0 ms  found"), out::toString);
    }
}
