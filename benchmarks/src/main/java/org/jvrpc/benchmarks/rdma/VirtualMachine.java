package org.jvrpc.benchmarks.rdma;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jvrpc.benchmarks.Bench;
import org.jvrpc.benchmarks.Session;
import org.jvrpc.benchmarks.report.Figures;

/** The virtual machine with RDMA devices, in which the benchmark runs itself again. */
public final class VirtualMachine {

    private static final int QUICK_LIMIT_S = 600;
    private static final int FULL_LIMIT_S = 1800;
    private static final String FILE = "rdma.json";
    private static final String OTHERS = "machine.others.cpu_fraction";

    private final Path script;

    private VirtualMachine(Path script) {
        this.script = script;
    }

    /** Returns the machine that the sources in a folder bring. */
    public static VirtualMachine of(Path root) {
        return new VirtualMachine(root.resolve(".ci").resolve("rdma-vm"));
    }

    /** Returns what starts it. */
    public Path script() {
        return script;
    }

    /** Returns true when it can be started here, and this is not in one already. */
    public boolean isPossible() {
        return Files.isExecutable(script) && System.getenv("JVRPC_VM") == null;
    }

    /** Runs the part that needs devices, prints what it prints, and notes its figures and failures. */
    public void run(Session session) throws IOException {
        Path out = Files.createTempDirectory("jvrpc-bench-rdma-");
        try {
            Process process = new ProcessBuilder(command(session, out)).inheritIO().start();
            int code = process.waitFor();
            if (code != 0) {
                session.fail("the run in the virtual machine ended with exit code " + code
                        + (code == 124 ? ": time was over" : ""));
            }
            note(session, out.resolve(FILE));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the virtual machine ran", e);
        } finally {
            delete(out);
        }
    }

    private List<String> command(Session session, Path out) {
        int limitS = session.choose(QUICK_LIMIT_S, FULL_LIMIT_S);
        List<String> command = new ArrayList<>(List.of(script.toString(), "--timeout", Integer.toString(limitS),
                "--out", out.toString(), "--", "sh", "-c", "exec \"$@\" --json \"$JVRPC_VM_OUT/" + FILE + '"', "bench",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), Bench.class.getName(), "rdma", "--device-only"));
        if (session.quick()) {
            command.add("--quick");
        }
        if (!session.only().isEmpty()) {
            command.addAll(List.of("--only", String.join(",", session.only())));
        }
        return command;
    }

    private static void note(Session session, Path file) throws IOException {
        if (!Files.exists(file)) {
            session.fail("the virtual machine brought no figures");
            return;
        }
        Map<String, Double> figures = Figures.read(file);
        Double others = figures.remove(OTHERS);
        if (others != null) {
            session.noteOthers(others);
        }
        session.figures().putAll(figures);
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(folder);
    }
}
