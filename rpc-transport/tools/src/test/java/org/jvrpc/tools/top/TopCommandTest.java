package org.jvrpc.tools.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.recording.json.Json;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.counters.Counters;
import org.jvrpc.runtime.counters.EndpointCounters;
import org.jvrpc.testing.Waits;
import picocli.CommandLine;

/** The command against clients and servers of this process. */
class TopCommandTest {

    private static int made;

    private final List<AutoCloseable> toClose = new ArrayList<>();

    @TempDir
    private Path empty;
    private String busy;
    private String quiet;

    /** What a run printed, and its exit code. */
    private record Ran(int code, String out, String err) {
    }

    private static Ran run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = new CommandLine(new TopCommand(new ByteArrayInputStream(new byte[0])))
                .setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
        return new Ran(code, out.toString(), err.toString());
    }

    @BeforeEach
    void serve() {
        String common = "inproc://top-" + ProcessHandle.current().pid() + "-" + made++;
        busy = common + "-busy";
        quiet = common + "-quiet";
        for (String address : List.of(busy, quiet)) {
            toClose.add(0, RpcServer.builder().bind(address)
                    .service(Twice.class, number -> {
                        if (number < 0) {
                            throw new IllegalArgumentException("number=" + number);
                        }
                        return 2 * number;
                    }).start());
            RpcClient client = RpcClient.connect(address);
            toClose.add(0, client);
            Twice twice = client.stub(Twice.class);
            for (int i = 0; i < (address.equals(busy) ? 300 : 3); i++) {
                assertEquals(2L * i, twice.twice(i));
            }
        }
        Waits.until("both servers to have counted", () -> counted(busy) == 2 * 300 && counted(quiet) == 2 * 3);
    }

    private static long counted(String address) {
        return Counters.own().read().endpoints().stream().filter(endpoint -> endpoint.address().equals(address))
                .mapToLong(EndpointCounters::calls).sum();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable closeable : toClose) {
            closeable.close();
        }
    }

    private String common() {
        return busy.substring(0, busy.length() - "-busy".length());
    }

    @SuppressWarnings("unchecked") // JSON objects
    private static List<Map<String, Object>> rows(Ran ran) {
        assertEquals(0, ran.code, ran.err);
        return (List<Map<String, Object>>) (Object) (List<?>) ((Map<String, Object>) Json.read(ran.out)).get("rows");
    }

    @Test
    @SuppressWarnings("unchecked") // JSON objects
    void jsonHasClientsAndServersWithMethodsAndSessions() {
        List<Map<String, Object>> rows = rows(run("--once", "--json", "--interval", "0.05", "--filter", busy));
        assertEquals(List.of("client", "server"), rows.stream().map(row -> row.get("role")).sorted().toList());
        for (Map<String, Object> row : rows) {
            assertEquals(BigDecimal.valueOf(ProcessHandle.current().pid()), row.get("pid"));
            assertEquals(busy, row.get("address"));
            assertEquals(BigDecimal.valueOf(300), row.get("calls"));
            assertEquals(BigDecimal.ZERO, row.get("failed"));
            Map<String, Object> method = ((List<Map<String, Object>>) row.get("methods")).get(0);
            assertEquals(Twice.class.getName() + "/twice", method.get("method"));
            assertTrue(((BigDecimal) method.get("p50Ns")).signum() > 0, method.toString());
            assertEquals(1, ((List<?>) row.get("sessions")).size());
        }
    }

    @Test
    void linesAreSortedByWhatIsAskedFor() {
        List<Map<String, Object>> byCalls = rows(run("--once", "--json", "--interval", "0.05", "--filter", common()));
        assertEquals(busy, byCalls.get(0).get("address"), "the most calls first");
        List<Map<String, Object>> byAddress = rows(
                run("--once", "--json", "--interval", "0.05", "--filter", common(), "--sort", "address"));
        assertEquals(List.of(busy, busy, quiet, quiet), byAddress.stream().map(row -> row.get("address")).toList());
        assertEquals(List.of("client", "server"), byAddress.stream().limit(2).map(row -> row.get("role")).toList());
    }

    @Test
    void linesOfMethodsArePrintedWithoutATerminal() {
        Ran ran = run("--once", "--interval", "0.05", "--methods", "--filter", quiet);
        assertEquals(0, ran.code, ran.err);
        List<String> lines = ran.out.lines().toList();
        assertTrue(lines.get(0).startsWith("PID "), ran.out);
        assertEquals(3, lines.size(), ran.out);
        assertTrue(lines.get(1).contains(quiet + " " + Twice.class.getName() + "/twice"), ran.out);
        assertFalse(ran.out.contains("\u001b"), "no control sequences");
    }

    @Test
    void whereNobodyCountsTheExitCodeSaysSo() {
        Ran ran = run("--once", "--interval", "0.05", "--folder", empty.toString());
        assertEquals(3, ran.code);
        assertTrue(ran.err.contains("nobody counts in " + empty), ran.err);
        assertEquals(3, run("--once", "--folder", empty.resolve("none").toString()).code, "no folder");
    }

    @Test
    void wrongArgumentsAreTold() {
        assertTrue(run("--interval", "0").err.contains("--interval must be 0.05 to 3600 s, not 0.0"));
        assertEquals(2, run("--interval", "0").code);
        assertEquals(2, run("--interval", "NaN").code);
        Ran ran = run("--sort", "colour");
        assertEquals(2, ran.code);
        assertTrue(ran.err.contains("colour") && ran.err.contains("calls, errors, p50"), ran.err);
    }

    @Test
    void filesThatCannotBeReadAreNamedWithTheReason() throws IOException {
        Path foreign = empty.resolve("c-1-0000000000000001");
        Files.write(foreign, new byte[600]);
        Ran ran = run("--once", "--json", "--interval", "0.05", "--folder", empty.toString());
        assertEquals(0, ran.code, ran.err);
        assertTrue(ran.out.contains("\"reason\":\"FOREIGN\""), ran.out);
    }

    @Test
    void numbersAndTimesHaveUnits() {
        assertEquals(List.of("0", "9.5", "1234", "56.7k", "3.21M", "1.00G"), List.of(0.0, 9.5, 1234.0, 56_700.0,
                3_210_000.0, 1e9).stream().map(Table::number).toList());
        assertEquals(List.of("-", "312ns", "45us", "12ms"),
                List.of(0L, 312L, 45_000L, 12_000_000L).stream().map(Table::time).toList());
        assertEquals("a?[31mb", Table.plain("a\u001b[31mb"));
    }

    @Test
    void eachKeySortsByOneColumn() {
        for (Sort sort : Sort.values()) {
            assertEquals(sort, Sort.of(sort.key));
        }
        assertEquals(null, Sort.of('q'));
        assertEquals(null, Sort.of('m'));
    }
}
