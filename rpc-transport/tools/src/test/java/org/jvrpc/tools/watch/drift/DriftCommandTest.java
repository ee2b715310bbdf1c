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
