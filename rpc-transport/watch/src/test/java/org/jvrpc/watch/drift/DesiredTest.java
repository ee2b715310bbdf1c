package org.jvrpc.watch.drift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.testing.Waits;
import org.jvrpc.watch.drift.ConfigurationSource.Kind;

/** What files may say, and what is said of those that do not. */
class DesiredTest {

    private static final String GOOD = """
            fabric:
              alpha: 1/16
              pfc: [3]
              dscp:
                26: {class: 3, queue: 3}
                48: 6
              shares: {3: 50%}
              ecn: {kmin: 5KB, kmax: 200KB, pmax: 1%}
              overrides:
                "S*": {alpha: 1/8}
                T7: {alpha: 1/64, ecn: off}
            hosts:
              match: "h*"
              driver: mlx5_core
              firmware: 16.35.2000
              mtu: 4200
              dcqcn: {np_cnp_dscp: 48}
              qp: {timeout: 67.108864ms, retries: 7}
              overrides:
                h3: {mtu: 9000, qp: {retries: 6}}
            """;

    private static Desired parse(String text) {
        return Assertions.assertDoesNotThrow(() -> Desired.parse("wanted.yaml", text));
    }

    private static String mistakes(String text) {
        return assertThrows(DesiredException.class, () -> Desired.parse("wanted.yaml", text)).getMessage();
    }

    @Test
    void overridesByNameWinOverWhatIsWantedOfAll() {
        Desired desired = parse(GOOD);
        Map<String, String> tor = desired.of(Kind.SWITCH, "T1");
        assertEquals("0.0625", tor.get("alpha"));
        assertEquals("3", tor.get("pfc"));
        assertEquals("3", tor.get("dscp.26.class"));
        assertEquals("3", tor.get("class.3.queue"));
        assertEquals("6", tor.get("dscp.48.class"));
        assertEquals("0.5", tor.get("queue.3.share"));
        assertEquals("on", tor.get("ecn"));
        assertEquals("5000", tor.get("ecn.kmin"));
        assertEquals("0.125", desired.of(Kind.SWITCH, "S0").get("alpha"));
        assertEquals("0.015625", desired.of(Kind.SWITCH, "T7").get("alpha"));
        assertEquals("off", desired.of(Kind.SWITCH, "T7").get("ecn"));
        assertEquals(null, desired.of(Kind.SWITCH, "T7").get("ecn.kmin"));
        assertEquals("4200", desired.of(Kind.HOST, "h1/mlx5_0/1").get("mtu"));
        assertEquals("9000", desired.of(Kind.HOST, "h3/mlx5_0/1").get("mtu"));
        assertEquals(Map.of(), desired.of(Kind.HOST, "other/mlx5_0/1"));
        assertEquals(Map.of("timeout", "67108864", "retries", "6"), desired.of(Kind.QP, "h3/qp 17"));
    }

    @Test
    void jsonIsReadAsWellTabsAndAll() {
        Desired desired = parse("{\n\t\"fabric\":{\"alpha\":\"1/16\",\"pfc\":[3,4],\n\t\t\"ecn\":\"off\"}}");
        assertEquals(Map.of("alpha", "0.0625", "pfc", "3,4", "ecn", "off"), desired.of(Kind.SWITCH, "T0"));
    }

    @Test
    void anUnknownKeyIsNamedWithItsPlaceAndTheNearestKnownOne() {
        assertEquals("wanted.yaml:2:3: fabric: unknown key 'alhpa', did you mean 'alpha'?",
                mistakes("fabric:\n  alhpa: 1/16\n"));
        assertEquals("wanted.yaml:1:16: fabric.ecn: unknown key 'kmn', did you mean 'kmin'?",
                mistakes("fabric: {ecn: {kmn: 5}}"));
        assertEquals("wanted.yaml:1:1: unknown key 'fabrics', did you mean 'fabric'?", mistakes("fabrics: {}"));
        assertEquals("wanted.yaml:1:14: hosts.qp: unknown key 'retry', did you mean 'retries'?",
                mistakes("hosts: {qp: {retry: 7}}"));
        assertEquals("wanted.yaml:1:9: hosts: unknown key 'firmwareversion', did you mean 'firmware'?",
                mistakes("hosts: {firmwareversion: 7}"));
        assertEquals("wanted.yaml:1:17: hosts.dcqcn: unknown key 'np_cnp_dcsp', did you mean 'np_cnp_dscp'?",
                mistakes("hosts: {dcqcn: {np_cnp_dcsp: 7}}"));
        String none = mistakes("fabric: {zzzzzz: 1}");
        assertTrue(none.contains("unknown key 'zzzzzz'; known are alpha, arp-timeout, buffer"), none);
    }

    @Test
    void allMistakesAreToldAtOnce() {
        List<String> lines = mistakes("fabric:\n  alhpa: 1\n  pfc: [9]\n  mtu: x\nhosts:\n  mtu: 1s\n").lines()
                .toList();
        assertEquals(List.of(2, 3, 4, 6), lines.stream().map(line -> Integer.parseInt(line.split(":")[1])).toList());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "fabric: {alpha: fast}|'fast' is no ratio",
        "fabric: {alpha: 1/0}|'1/0' is no ratio",
        "fabric: {alpha: NaN}|'NaN' is no ratio",
        "fabric: {alpha: 1e99999}|is no ratio",
        "fabric: {alpha: }|a value is missing",
        "fabric: {alpha: [1]}|one value is expected",
        "fabric: {alpha: !!binary aaaa}|a plain value is expected",
        "fabric: {watchdog: 100}|'100' is not a time with its unit",
        "fabric: {buffer: 12K}|'12K' is not a number of bytes",
        "fabric: {buffer: 1.5B}|is no whole number",
        "fabric: {pfc: [8]}|'8' is no priority",
        "fabric: {ecn: 3}|neither on nor off",
        "fabric: {dscp: {64: 3}}|'64' is no number, 0 to 63",
        "fabric: {dscp: {26: 8}}|out of range, 0 to 7",
        "fabric: {dscp: {26: {queue: 3}}}|a class is missing",
        "fabric: {dscp: {26: {class: 3, queue: 3}, 27: {class: 3, queue: 4}}}|class 3 cannot have both queue 3",
        "fabric: {alpha: 1/16, alpha: 1/8}|'alpha' stands here twice",
        "fabric: [1]|fabric: keys with values are expected",
        "fabric: {scheduling: strict}|keys are expected: [lanes, ports]",
        "fabric: {overrides: {x: {match: y}}}|unknown key 'match'",
        "hosts: {mtu: 99999999}|out of range",
        "hosts: {match: ''}|a value is missing",
        "fabric: {alpha: 1/16|expected",
        "\"{}\n---\n{}\"|single document",
        "\"\"|nothing is wanted here",
        "just words|keys with values are expected",
        "? [a]|a key is a word",
        "fabric: {alpha: 1, <<: {pfc: 3}}|unknown key '<<'"})
    void whatIsNoConfigurationIsRefusedWithItsPlace(String text, String why) {
        String message = mistakes(text);
        assertTrue(message.contains(why), message);
        assertTrue(message.startsWith("wanted.yaml"), message);
    }

    @Test
    void aliasesAndDepthAreBoundedAndQuicklyRefused() {
        StringBuilder laughs = new StringBuilder("a: &a [x,x]\n");
        for (char c = 'b'; c < 'z'; c++) {
            laughs.append(c).append(": &").append(c).append(" [*").append((char) (c - 1)).append(", *")
                    .append((char) (c - 1)).append("]\n");
        }
        assertTrue(mistakes(laughs.toString()).contains("aliases"), mistakes(laughs.toString()));
        assertTrue(mistakes("fabric: " + "{a: ".repeat(40) + "}".repeat(40)).contains("epth"));
        Assertions.assertTimeoutPreemptively(Duration.ofNanos(Waits.limitNs()), // or without end
                () -> mistakes("fabric: &x {overrides: {a: *x}}"), "one that has itself within");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aFileHasABoundOfItsSize(int over, @TempDir Path folder) throws IOException, DesiredException {
        Path file = folder.resolve("large.yaml");
        String head = "fabric: {alpha: 1/16}\n#";
        Files.writeString(file, head + "x".repeat(DesiredReader.MOST_BYTES - head.length() + over));
        if (over == 0) {
            assertEquals("0.0625", Desired.read(file).of(Kind.SWITCH, "T0").get("alpha"));
        } else {
            String message = assertThrows(DesiredException.class, () -> Desired.read(file)).getMessage();
            assertTrue(message.contains("longer than 1048576 bytes"), message);
        }
    }

    @Test
    void bytesThatAreNoTextAreRefused(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("x.yaml");
        Files.write(file, new byte[] {'a', ':', (byte) 0xc3, 0x28});
        String message = assertThrows(DesiredException.class, () -> Desired.read(file)).getMessage();
        assertTrue(message.contains("not UTF-8"), message);
    }
}
