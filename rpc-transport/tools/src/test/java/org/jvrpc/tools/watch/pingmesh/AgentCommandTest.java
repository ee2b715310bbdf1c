package org.jvrpc.tools.watch.pingmesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code jvrpc pingmesh agent} as people and scripts see it. */
class AgentCommandTest {

    private static final String ROCE = "roce://127.0.0.1:0";

    @TempDir
    private Path folder;
    private Path keys;

    /** What a run printed. */
    private record Ran(int code, String out, String err) { }

    @BeforeEach
    void prepare() throws IOException {
        Files.createDirectory(folder.resolve("agents"));
        keys = Files.writeString(folder.resolve("keys"), "1:" + "00".repeat(16) + "\n");
    }

    private static Ran run(List<String> arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = new CommandLine(new PingmeshCommand()).setOut(new PrintWriter(out)).setErr(new PrintWriter(err))
                .execute(arguments.toArray(String[]::new));
        return new Ran(code, out.toString(), err.toString());
    }

    private List<String> agent(String... more) {
        List<String> all = new ArrayList<>(List.of("agent", "--registry", folder.resolve("agents").toString(),
                "--key-file", keys.toString()));
        all.addAll(List.of(more));
        return all;
    }

    private CompletableFuture<Ran> start(int id, String... more) {
        List<String> all = agent("--device", ROCE, "--flows", "2", "--name", "h" + id, "--id", "" + id, "--rate", "50",
                "--window", "0.5", "--settle", "0", "--cpu-limit", "1000", "--loss-limit", "100");
        all.addAll(List.of(more));
        return CompletableFuture.supplyAsync(() -> run(all));
    }

    @Test
    void twoAgentsPrintWhatTheyMet() throws InterruptedException, ExecutionException, TimeoutException {
        CompletableFuture<Ran> first = start(1, "--reports", "8", "--json", "--sl", "0,3");
        CompletableFuture<Ran> second = start(2, "--reports", "8");
        Ran a = first.get(Until.LIMIT_NS, TimeUnit.NANOSECONDS);
        Ran b = second.get(Until.LIMIT_NS, TimeUnit.NANOSECONDS);
        assertEquals(0, a.code(), a::err);
        assertEquals(0, b.code(), b::err);
        List<String> lines = a.out().lines().toList();
        assertEquals(8, lines.size());
        assertTrue(lines.stream().allMatch(line -> line.startsWith("{\"agent\":{\"id\":1,\"name\":\"h1\"")), a::out);
        assertTrue(lines.stream().anyMatch(line -> line.contains("\"target\":2,")), a::out);
        assertTrue(b.out().contains("  to 1 ") && b.out().contains("network p50"), b::out);
        assertTrue(a.out().contains("\"serviceLevel\":3") && a.out().contains("\"serviceLevel\":0"), a::out);
        assertTrue(a.err().contains("agent h1 id=1 on " + ROCE + ", flows by DEVICE: 2"), a::err);
        assertEquals(0, folder.resolve("agents").toFile().list().length, "lines of agents that ended");
    }

    @ParameterizedTest
    @CsvSource({"--rate,0,rate must be", "--window,0,window must be", "--timeout,-1,timeout must be",
        "--flows,0,flows must be", "--reports,0,--reports must be", "--device,abc://x,no device for address",
        "--to,ftp://x,a collector is", "--id,-4,--id must be", "--cpu-limit,0,share=0", "--sl,8,level=8",
        "--sl,-1,level=-1", "--name,a b,unknown: b"})
    void wrongArgumentsAreCodeTwoAndSayWhy(String option, String value, String wanted) {
        List<String> all = agent(option, value);
        if (!option.equals("--device")) {
            all.addAll(List.of("--device", ROCE));
        }
        Ran ran = run(all);
        assertEquals(2, ran.code(), ran::err);
        assertTrue(ran.err().contains(wanted), ran::err);
    }

    @Test
    void whatCannotBeMeasuredIsCodeThreeInOneLine() {
        List<String> all = agent("--device", ROCE);
        all.set(all.indexOf(keys.toString()), folder.resolve("none").toString());
        Ran ran = run(all);
        assertEquals(3, ran.code());
        assertTrue(ran.err().startsWith("could not be measured: ") && ran.err().contains("none")
                && ran.err().lines().count() == 1, ran::err);
    }

    @Test
    void aKeyFileThatIsNoneIsNamedByLine() throws IOException {
        Files.writeString(keys, "hello\n");
        Ran ran = run(agent("--device", ROCE));
        assertEquals(3, ran.code());
        assertTrue(ran.err().contains("keys, line 1: a key is id:hex"), ran::err);
    }
}
