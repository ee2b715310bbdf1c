package org.jvrpc.interleavings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;
import org.openjdk.jcstress.Main;

/** One run of jcstress in JVMs of its own, which end with it. Its report lies under target/jcstress. */
final class Jcstress {

    /** How long, and in how many ways of running, each test is run. */
    enum Mode {
        /** Some seconds for each test, as they stand: what a build can wait for. */
        VERIFY("-m", "quick", "-f", "1", "-fsm", "1", "-iters", "1", "-time", "300", "-sc", "false",
                "-jvmArgs", HEAP),
        /** Each actor compiled by C2, by C1 and not at all. */
        QUICK("-m", "quick", "-f", "1", "-fsm", "1", "-iters", "2", "-time", "1000", "-jvmArgs", HEAP),
        /** With the options of the JVM, too, that stress its compilers. */
        DEFAULT("-m", "default", "-f", "1", "-fsm", "1", "-iters", "2", "-time", "1000", "-jvmArgsPrepend", HEAP);

        private final List<String> options;

        Mode(String... options) {
            this.options = List.of(options);
        }
    }

    private static final String HEAP = "-Xmx256m";
    /** States that live at a time are fewer than those of {@link Places}; two batches of them at most. */
    private static final List<String> STATES = List.of("-strideSize", "64", "-strideCount", "16");
    private static final Pattern COUNTS = Pattern.compile("\\(Results: (\\d+) planned; (\\d+) passed, ");

    private final List<String> output;
    private final int exitStatus;

    private Jcstress(List<String> output, int exitStatus) {
        this.output = output;
        this.exitStatus = exitStatus;
    }

    /** Runs the tests whose names a regular expression is found in. @throws AssertionError when it takes too long */
    static Jcstress run(Mode mode, String tests, Duration limit) {
        Path folder = folder();
        List<String> arguments = new ArrayList<>(mode.options);
        arguments.addAll(STATES);
        arguments.addAll(List.of("-t", tests, "-r", folder.toString()));
        // The folder is the working one, too: the raw results are always written there.
        try (ChildJvm child = JavaCommand.of(Main.class).arguments(arguments)
                .startedBy(List.of("env", "--chdir=" + folder)).start()) {
            child.expect("RUN RESULTS", limit);
            int status = child.exitStatus();
            return new Jcstress(child.output(), status);
        }
    }

    private static Path folder() {
        try {
            return Files.createDirectories(Path.of(System.getProperty("basedir"), "target", "jcstress"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns true when each configuration that was planned ran and met no forbidden outcome and no error. */
    boolean passed(int least) {
        Matcher last = null;
        for (String line : output) {
            Matcher counts = COUNTS.matcher(line);
            last = counts.find() ? counts : last;
        }
        return exitStatus == 0 && last != null && last.group(1).equals(last.group(2))
                && Integer.parseInt(last.group(1)) >= least;
    }

    /** Returns what jcstress said of the tests that failed, or all that it said when it did not get there. */
    @Override
    public String toString() {
        int results = output.indexOf("RUN RESULTS:");
        return "jcstress ended with " + exitStatus + ":\n"
                + String.join("\n", output.subList(Math.max(0, results), output.size()));
    }
}
