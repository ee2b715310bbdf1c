package org.jvrpc.samples.cookbook;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What a program writes to its standard output. One thread. */
final class Printed {

    /** A program with arguments. */
    @FunctionalInterface
    interface Program {
        void run(String... args) throws Exception;
    }

    private Printed() {
    }

    /** Runs a program and returns its lines. */
    static List<String> by(Program program, String... args) throws Exception {
        PrintStream out = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            program.run(args);
        } finally {
            System.setOut(out);
        }
        return printed.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
