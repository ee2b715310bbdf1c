package org.jvrpc.offload.hull;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What this process says on standard error until it is closed. */
final class StandardError implements AutoCloseable {

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    StandardError() {
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    }

    /** Returns the hull's lines so far. */
    List<String> lines() {
        return said.toString(StandardCharsets.UTF_8).lines().filter(line -> line.startsWith("hull: ")).toList();
    }

    /** Returns all of it. */
    String text() {
        return said.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        System.setErr(before);
        before.print(text());
    }
}
