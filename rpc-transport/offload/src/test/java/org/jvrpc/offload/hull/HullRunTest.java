package org.jvrpc.offload.hull;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;

/** A hull in this process, whose applications are short scripts. */
final class HullRunTest {

    private final StandardError said = new StandardError();
    private final String address = SharedMemoryFolder.freshAddress();
    private final Path control = HullProcess.controlOf(address);
    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        said.close();
    }

    /** Runs a script in which {@code $0} is this test's folder. */
    private int run(String script, String... options) throws InterruptedException {
        List<String> words = new ArrayList<>(
                List.of("--address", address, "--bytes", "1m", "--control", control.toString()));
        words.addAll(List.of(options));
        words.addAll(List.of("--", "sh", "-c", script, folder.toString()));
        return Hull.run(words.toArray(String[]::new));
    }

    @Test
    void theApplicationFindsTheHullAndItsEndIsTheHulls() throws InterruptedException {
        assertEquals(0, run("test -S \"$JVRPC_HULL\""));
        assertFalse(Files.exists(control), "the control socket stays behind");
        assertTrue(said.lines().get(0).startsWith(
                "hull: address=" + address + " bytes=1048576 control=" + control + ", process "), said::text);
        assertEquals(7, run("exit 7", "--no-restart"), "the address is free for the next");
    }

    @Test
    void theApplicationAttachesToTheMemoryThatWasSaid() throws Exception {
        FutureTask<Integer> run = new FutureTask<>(() -> run("touch \"$0/started\"; i=0;"
                + " until test -e \"$0/end\" || test $((i += 1)) -gt 600; do sleep 0.05; done"));
        Thread thread = new Thread(run, "hull");
        thread.setDaemon(true);
        thread.start();
        Waits.until("the application", () -> Files.exists(folder.resolve("started")), said::text);
        try (Device device = Devices.open("shm://any");
                HullClient client = HullClient.attach(device, control, () -> { })) {
            assertEquals(address, client.address());
            assertEquals(1 << 20, client.region().length());
            assertEquals(1, client.generation());
        } finally {
            Files.createFile(folder.resolve("end"));
        }
        assertEquals(0, run.get(Waits.limitNs(), TimeUnit.NANOSECONDS));
    }

    @Test
    void anApplicationThatKeepsDyingYoungIsGivenUp() throws InterruptedException, IOException {
        String script = "echo >> \"$0/starts\"; test $(wc -l < \"$0/starts\") -gt 2 || exit 3";
        assertEquals(3, run(script, "--quick-deaths", "2", "--quick-ms", "60000"));
        assertEquals(2, Files.readAllLines(folder.resolve("starts")).size());
    }

    @Test
    void whatTheHullCannotHaveIsNamedAndWhatItHadIsGivenBack() throws InterruptedException {
        Path impossible = Path.of("/proc/no/folder");
        assertEquals(1, run("exit 7", "--control", impossible.toString()));
        assertTrue(said.lines().get(0).contains(impossible.getParent().toString()), said::text);
        assertEquals(0, run("exit 0"), "the address is free again");
    }

    @Test
    void aBadCommandLineIsAnsweredWithTheUsage() throws InterruptedException {
        assertEquals(2, Hull.run("--byte", "1"));
        assertEquals("hull: unknown option: --byte\n" + HullOptions.USAGE, said.text());
        assertEquals(2, Hull.run(), "so is one of nothing");
    }

    @Test
    void whoAsksForHelpIsToldTheUsage() throws InterruptedException {
        PrintStream before = System.out;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true));
        try {
            assertEquals(0, Hull.run("--help"));
            assertEquals(HullOptions.USAGE, out.toString());
            assertEquals(0, Hull.run("-h", "whatever"));
            assertEquals(HullOptions.USAGE.repeat(2), out.toString());
        } finally {
            System.setOut(before);
        }
    }
}
