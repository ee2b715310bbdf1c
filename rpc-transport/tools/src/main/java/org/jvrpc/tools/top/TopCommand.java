package org.jvrpc.tools.top;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jvrpc.runtime.counters.CounterFiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code jvrpc top}. */
@Command(name = "top",
        description = {"Shows the clients and servers of this host that count: calls and errors a second, latencies,"
                + " bytes, sessions, calls under way, waits.",
            "Those of this user's processes, or of a folder's. On a terminal, keys sort: c calls, e errors, 5 p50,"
                + " 9 p99, b bytes, s sessions, w waits, l sleeps, a address, p process; m shows methods, q ends it.",
            "Exit code 0; 2 for wrong arguments; 3 when nobody counts here, or the folder cannot be read."})
public final class TopCommand implements Callable<Integer> {

    private static final int UNREACHED = 3;
    private static final long LEAST_MS = 50;
    private static final long MOST_MS = 3_600_000;
    private static final long KEY_LOOK_NS = 20_000_000;

    @Option(names = "--once", description = "Print what happens in one interval, and end.")
    private boolean once;

    @Option(names = "--json", description = "Print JSON, an object an interval.")
    private boolean json;

    @Option(names = "--methods", description = "One line for each method, not for each client and server.")
    private boolean methods;

    @Option(names = "--interval", paramLabel = "SECONDS", defaultValue = "1",
            description = "Between two looks, 0.05 to 3600; default ${DEFAULT-VALUE}.")
    private double interval;

    @Option(names = "--sort", paramLabel = "COLUMN", defaultValue = "calls",
            description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
    private Sort sort;

    @Option(names = "--filter", paramLabel = "TEXT",
            description = "Lines alone that have it in process, address or method.")
    private String filter;

    @Option(names = "--folder", paramLabel = "FOLDER",
            description = "Where files of counters are; default this user's, below /dev/shm.")
    private Path folder;

    @Spec
    private CommandSpec spec;

    private final InputStream in;

    /** For the command line. */
    public TopCommand() {
        this(System.in);
    }

    /** @param in where keys come from */
    TopCommand(InputStream in) {
        this.in = in;
    }

    @Override
    public Integer call() {
        long ms = (long) (interval * 1000);
        if (!(interval * 1000 >= LEAST_MS) || ms > MOST_MS) {
            throw new ParameterException(spec.commandLine(), "--interval must be 0.05 to 3600 s, not " + interval);
        }
        PrintWriter out = spec.commandLine().getOut();
        try {
            return run(out, TimeUnit.MILLISECONDS.toNanos(ms));
        } catch (IOException e) {
            spec.commandLine().getErr().println("jvrpc: " + e);
            return UNREACHED;
        } finally {
            out.flush();
            spec.commandLine().getErr().flush();
        }
    }

    private int run(PrintWriter out, long intervalNs) throws IOException {
        Path place = folder == null ? CounterFiles.folder() : folder;
        Reading.Reader reader = new Reading.Reader(place);
        Reading before = reader.read();
        if (once && before.processes().isEmpty() && before.unread().isEmpty()) {
            spec.commandLine().getErr().println("jvrpc: nobody counts in " + place);
            return UNREACHED;
        }
        try (Terminal terminal = once || json ? null : Terminal.open(out, in)) {
            Runnable show = () -> { };
            while (await(terminal, before.atNs() + intervalNs, show)) {
                Reading then = before;
                Reading now = reader.read();
                show = () -> print(out, terminal, then, now);
                show.run();
                if (once) {
                    return 0;
                }
                before = now;
            }
        }
        return 0;
    }

    /** Waits until a time, and does what keys say meanwhile; false when it is to end. */
    private boolean await(Terminal terminal, long untilNs, Runnable show) throws IOException {
        for (long leftNs = untilNs - System.nanoTime(); leftNs > 0; leftNs = untilNs - System.nanoTime()) {
            LockSupport.parkNanos(terminal == null ? leftNs : Math.min(leftNs, KEY_LOOK_NS));
            if (Thread.interrupted()) {
                return false;
            }
            int key = terminal == null ? -1 : terminal.key();
            if (key == 'q') {
                return false;
            }
            methods ^= key == 'm';
            sort = key < 0 || Sort.of(key) == null ? sort : Sort.of(key);
            if (key >= 0) {
                show.run();
            }
        }
        return true;
    }

    private void print(PrintWriter out, Terminal terminal, Reading before, Reading now) {
        List<Row> rows = Row.of(before, now, methods).stream()
                .filter(row -> filter == null || row.matches(filter)).sorted(sort.order).toList();
        if (json) {
            out.println(AsJson.of(rows, now.unread(), (now.atNs() - before.atNs()) / 1e9));
        } else if (terminal == null) {
            Table.of(rows, now.unread()).forEach(out::println);
        } else {
            List<String> lines = new ArrayList<>();
            lines.add("jvrpc top: " + now.processes().size() + " processes, sorted by " + sort
                    + (filter == null ? "" : ", with " + Table.plain(filter)) + "; c e 5 9 b s w l a p sort, m methods,"
                    + " q ends");
            lines.addAll(Table.of(rows, now.unread()));
            terminal.show(lines);
        }
        out.flush();
    }
}
