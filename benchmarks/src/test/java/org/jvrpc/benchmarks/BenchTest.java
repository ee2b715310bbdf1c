package org.jvrpc.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.benchmarks.rdma.Link;
import picocli.CommandLine;

final class BenchTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int bench(String... args) {
        CommandLine commandLine = Bench.commandLine();
        commandLine.setOut(new PrintWriter(out));
        commandLine.setErr(new PrintWriter(err));
        return commandLine.execute(args);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "nul-rpc                    | unknown benchmark or option: nul-rpc",
        "null-rpc --size 64         | --size",
        "echo --size 63             | unknown --size 63, sizes are [8, 32, 64, 256, 1024, 4096, 65536]",
        "echo --size many           | --size",
        "null-rpc --json            | --json",
        "null-rpc --only tcp        | unknown contender=tcp",
        "null-rpc --rate 0          | --rate must be 1 to 1000000 calls a second, not 0",
        "null-rpc --forks 0         | --forks must be 1 to 100, not 0",
        "router --rows null         | unknown row=null, known are [null-rpc",
        "soak --minutes 0           | --minutes must be more than 0",
        "soak --seed x              | --seed",
        "soak --only-faults 1,x     | --only-faults",
        "--quick                    | --quick",
    })
    void shouldRefuseWrongArgumentsByName(String args, String message) {
        assertEquals(2, bench(args.split(" +")));
        assertTrue(err.toString().contains(message), err::toString);
        assertTrue(err.toString().contains("benchmarks: "), err::toString);
        assertEquals("", out.toString());
    }

    @Test
    void aRunOfNobodyFails() throws IOException {
        Options options = new Options();
        options.setOnly(List.of("uds-blocking"));
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        Session session = new Session(options, new PrintStream(text, true));
        assertEquals(1, session.run(List.<Session.Work>of(run -> {
            assertEquals(List.of(), run.contenders("jvrpc", "jvrpc-adaptive"));
        })));
        assertTrue(text.toString().contains("--only=uds-blocking names nobody who takes part"), text::toString);
    }

    @Test
    void aContenderBesideIdleSessionsGoesByItsOwnName() {
        Options options = new Options();
        options.setOnly(List.of("jvrpc-adaptive"));
        assertTrue(options.takes(Sessions.name("jvrpc-adaptive", 1000)));
        assertFalse(options.takes(Sessions.name("jvrpc", 1000)));
    }

    @Test
    void shouldPrintTheHelpAndFailWithoutABenchmark() {
        assertEquals(2, bench());
        assertEquals(Bench.helpText(), out.toString());
    }

    @Test
    void shouldPrintTheHelp() {
        assertEquals(0, bench("--help"));
        assertEquals(Bench.helpText(), out.toString());
    }

    @Test
    void shouldPrintTheHelpForABenchmark() {
        assertEquals(0, bench("echo", "--help"));
        assertEquals(Bench.helpText(), out.toString());
    }

    @Test
    void shouldSayWhatRealRdmaNeeds(@TempDir Path noSources) {
        assumeFalse(Link.isThere(), "there are RDMA devices");
        String before = System.getProperty(Rdma.ROOT_PROPERTY);
        System.setProperty(Rdma.ROOT_PROPERTY, noSources.toString());
        try {
            assertEquals(2, bench("rdma", "--quick"));
        } finally {
            if (before == null) {
                System.clearProperty(Rdma.ROOT_PROPERTY);
            } else {
                System.setProperty(Rdma.ROOT_PROPERTY, before);
            }
        }
        assertTrue(err.toString().contains("no RDMA devices rxe0 and rxe1 here, and no "), err::toString);
        assertTrue(err.toString().contains("rdma-vm"), err::toString);
    }

    @Test
    void shouldDocumentEveryBenchmarkAndContender() {
        Bench.commandLine().getSubcommands().keySet()
                .forEach(name -> assertTrue(Bench.helpText().contains("\n  " + name + ' '), name));
        Contenders.names().forEach(name -> assertTrue(Bench.helpText().contains(name), name));
    }
}
