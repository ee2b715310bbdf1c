package org.jvrpc.benchmarks.soak.audit;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Violations that processes see by themselves: lines of a file that all append to, which outlive them. Any thread. */
public final class Notes {

    private static final int MOST = 20;
    private static final int LONGEST = 1500;

    private final Path file;
    private final String who;
    private final AtomicInteger count = new AtomicInteger();

    /**
     * Notes of one process.
     *
     * @param file that all processes append to; it need not be there
     * @param who stands before each violation
     */
    public Notes(Path file, String who) {
        this.file = file;
        this.who = who;
    }

    /**
     * Notes a violation; of many of one process the first ones.
     *
     * @throws UncheckedIOException when the file cannot be written
     */
    public void add(String what) {
        if (count.incrementAndGet() <= MOST) {
            try {
                Files.writeString(file, line(who + ": " + what), StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND); // one write each, so lines stay whole
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Notes a violation and the stack trace that tells of it. */
    public void add(String what, Throwable thrown) {
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace));
        add(what + ": " + trace);
    }

    private static String line(String text) {
        String flat = text.replaceAll("\\s*\\n\\s*", " | ");
        return (flat.length() <= LONGEST ? flat : flat.substring(0, LONGEST) + "...") + '\n';
    }

    /** Returns all that was noted by anybody, and forgets it. While the processes rest. */
    public static List<String> take(Path file) throws IOException {
        try {
            List<String> lines = Files.readAllLines(file);
            Files.delete(file);
            return lines;
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }
}
