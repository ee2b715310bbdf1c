package org.jvrpc.ibverbs;

import java.io.File;
import java.util.List;
import org.jvrpc.ibverbs.RefusalMain.Wish;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;

/** Runs {@link RefusalMain} and returns what it printed. */
final class Refusals {

    private Refusals() {
    }

    /**
     * Runs it.
     *
     * @param before a command that runs what follows it
     */
    static String ask(List<String> before, Wish wish, String... options) {
        JavaCommand command = JavaCommand.of(RefusalMain.class).startedBy(before).arguments(wish.name());
        for (String option : options) {
            command.option(option);
        }
        try (ChildJvm child = command.start()) {
            child.exitStatus();
            return String.join("\n", child.output());
        }
    }

    static boolean has(String program) {
        return new File("/usr/bin", program).canExecute() || new File("/bin", program).canExecute();
    }
}
