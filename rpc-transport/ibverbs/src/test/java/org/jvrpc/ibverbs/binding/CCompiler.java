package org.jvrpc.ibverbs.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Asks the C compiler of this machine. */
public final class CCompiler {

    private static final int SECONDS = 60;

    private CCompiler() {
    }

    /** Skips the test, with the reason, where gcc or one of these headers, as in {@code <poll.h>}, is missing. */
    public static void assume(Collection<String> headers, Path folder) throws Exception {
        assumeTrue(works(folder, "gcc", "--version"), "this machine has no gcc");
        for (String header : headers) {
            Path source = Files.writeString(folder.resolve("header.c"), "#include " + header + "\n");
            assumeTrue(works(folder, "gcc", "-fsyntax-only", source.toString()), "this machine has no C header "
                    + header + " (Debian: libibverbs-dev librdmacm-dev)");
        }
    }

    private static boolean works(Path folder, String... command) throws Exception {
        try {
            return run(folder, List.of(command)) == 0;
        } catch (IOException e) {
            return false; // there is no such command
        }
    }

    private static int run(Path folder, List<String> command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile()).start();
        if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError(command + " did not end within seconds=" + SECONDS);
        }
        return process.exitValue();
    }

    /**
     * Compiles a program and runs it.
     *
     * @param statements the body of main
     * @return the lines that it printed
     */
    public static List<String> run(Collection<String> headers, Collection<String> statements, Path folder)
            throws Exception {
        List<String> text = new ArrayList<>(List.of("#include <stddef.h>", "#include <stdio.h>"));
        headers.forEach(header -> text.add("#include " + header));
        text.add("int main(void) {");
        text.addAll(statements);
        text.add("return 0; }");
        Path source = Files.writeString(folder.resolve("probe.c"), String.join("\n", text) + "\n");
        Path program = folder.resolve("probe");
        int compiled = run(folder, List.of("gcc", "-w", "-D_GNU_SOURCE", "-o", program.toString(), source.toString()));
        assertEquals(0, compiled, () -> "gcc: " + output(folder));
        assertEquals(0, run(folder, List.of(program.toString())), () -> "probe: " + output(folder));
        return output(folder).lines().toList();
    }

    private static String output(Path folder) {
        try {
            return Files.readString(folder.resolve("output"), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
