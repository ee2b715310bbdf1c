package org.jvrpc.ibverbs.rxe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jvrpc.ibverbs.binding.Libraries;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.verbs.contract.Deadline;

/** Plays rounds between two marks that a tracer of system calls sees. */
final class TraceMain {

    /** How the mark looks in a trace: nobody else asks for this limit. */
    static final String MARK = "RLIMIT_SIGPENDING";

    private static final int RLIMIT_SIGPENDING = 11;
    private static final int WARM_UP = 20;

    private TraceMain() {
    }

    /** @param arguments rounds; a file to write the number of the thread to, which then waits for its tracer */
    public static void main(String[] arguments) throws IOException {
        try (Player left = new Player(0, false); Player right = new Player(1, false)) {
            Player.connect(left, right);
            Player.play(left, right, WARM_UP);
            Path file = Path.of(arguments[1]);
            Path unfinished = file.resolveSibling("unfinished");
            Files.writeString(unfinished, Path.of("/proc/thread-self").toRealPath().getFileName().toString());
            Files.move(unfinished, file);
            Deadline.until("a tracer", TraceMain::isTraced);
            Native limit = Native.allocate(16);
            mark(limit);
            Player.play(left, right, Integer.parseInt(arguments[0]));
            mark(limit);
        }
    }

    private static boolean isTraced() {
        try {
            return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
                    .anyMatch(line -> line.startsWith("TracerPid:") && !line.endsWith("\t0"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void mark(Native limit) {
        Libraries.c().getrlimit(RLIMIT_SIGPENDING, limit.address());
    }
}
