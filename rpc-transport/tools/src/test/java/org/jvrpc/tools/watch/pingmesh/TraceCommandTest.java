package org.jvrpc.tools.watch.pingmesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.watch.paths.PathFile;
import org.jvrpc.watch.registry.RegistryFile;
import picocli.CommandLine;

/** The script that traces ways, run by sh with a traceroute that is none. */
class TraceCommandTest {

    private static final String TRACEROUTE = """
            #!/bin/sh
            printf '%s\\n' "$*" >> "$(dirname "$0")/asked"
            for to; do :; done
            echo "traceroute to $to (10.0.0.9), 12 hops max, 60 byte packets"
            case "$to" in
            h2) printf ' 1  10.1.0.1  0.3 ms\\n 2  *\\n 3  10.1.1.1  0.4 ms\\n 4  10.0.0.9  0.5 ms\\n';;
            h3) printf ' 1  10.1.0.1  0.3 ms\\n 2  *\\n 3  *\\n';;
            *) printf ' 1  *\\n 2  *\\n';;
            esac
            """;

    @TempDir
    Path folder;

    private Path registry;

    @BeforeEach
    void agents() throws IOException {
        registry = Files.write(folder.resolve("agents"), List.of(line(1, "h1"), line(2, "h2"), line(3, "h3"),
                line(4, "h4';touch${IFS}evil;'")));
    }

    private static String line(int id, String name) {
        return "id=" + id + " name=" + name + " rack=r" + id + " pod=p version=1 incarnation=" + 0xa0 + id
                + " address=00";
    }

    private int run(StringWriter out, String... arguments) {
        String[] all = new String[arguments.length + 3];
        System.arraycopy(arguments, 0, all, 3, arguments.length);
        all[0] = "trace";
        all[1] = "--registry";
        all[2] = registry.toString();
        return new CommandLine(new PingmeshCommand()).setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(out, true)).execute(all);
    }

    private List<String> traced(String script) throws Exception {
        Path program = Files.writeString(folder.resolve("traceroute"), TRACEROUTE);
        assertTrue(program.toFile().setExecutable(true));
        Path at = Files.writeString(folder.resolve("script"), script);
        Path printed = folder.resolve("printed");
        ProcessBuilder builder = new ProcessBuilder("sh", at.toString()).directory(folder.toFile())
                .redirectErrorStream(true).redirectOutput(printed.toFile());
        builder.environment().merge("PATH", folder.toString(), (old, first) -> first + ":" + old);
        Process process = builder.start();
        assertTrue(process.waitFor(50, TimeUnit.SECONDS), "the script does not end");
        List<String> lines = Files.readAllLines(printed);
        assertEquals(0, process.exitValue(), lines.toString());
        return lines;
    }

    @Test
    void theScriptPrintsLinesThatACollectorTakes() throws Exception {
        StringWriter script = new StringWriter();
        assertEquals(0, run(script, "--from", "h1", "--flows", "2"), script::toString);
        List<String> lines = traced(script.toString());
        assertEquals(List.of("path h1 h2 0 10.1.0.1 * 10.1.1.1", "path h1 h2 1 10.1.0.1 * 10.1.1.1",
                "path h1 h3 0 10.1.0.1", "path h1 h3 1 10.1.0.1",
                "# no switch answered from h1 to h4';touch${IFS}evil;' by flow 0",
                "# no switch answered from h1 to h4';touch${IFS}evil;' by flow 1"), lines);
        List<String> asked = Files.readAllLines(folder.resolve("asked"));
        assertEquals("-n -q 1 -w 1 -m 12 -U --sport=51685 -p 4791 h2", asked.get(0));
        assertTrue(Files.notExists(folder.resolve("evil")), "a name was run");
        Path file = Files.write(folder.resolve("paths"), lines);
        try (RegistryFile agents = RegistryFile.open(registry, null, 1_000_000_000);
                PathFile paths = PathFile.open(file, agents::agents, 1_000_000_000)) {
            paths.takeOver();
            assertEquals(4, paths.size());
            assertEquals("TOR 10.1.1.1", paths.tor(2).toString());
        }
    }

    @Test
    void portsThatAreToldHoldForOneStartOfTheAgent() throws Exception {
        StringWriter script = new StringWriter();
        assertEquals(0, run(script, "--from", "h2", "--ports", "40001", "--port", "7471", "--suffix", "-rdma"));
        List<String> lines = traced(script.toString());
        assertEquals("agent h2 1602", lines.get(0));
        assertTrue(Files.readAllLines(folder.resolve("asked")).contains(
                "-n -q 1 -w 1 -m 12 -U --sport=40001 -p 7471 h3-rdma"), lines.toString());
    }

    @Test
    void wrongArgumentsAreRefusedWithTheValues() {
        StringWriter out = new StringWriter();
        assertEquals(2, run(out, "--from", "h9"));
        assertTrue(out.toString().contains("--from=h9: no such agent in"), out.toString());
        assertEquals(2, run(out, "--from", "h1", "--flows", "1"));
        assertEquals(2, run(out, "--from", "h1", "--ports", "70000"));
        assertEquals(2, run(out, "--from", "h1", "--suffix", "; rm"));
        registry = folder.resolve("none");
        assertEquals(3, run(out, "--from", "h1"));
    }
}
