package org.jvrpc.benchmarks.limit;

import java.io.IOException;
import java.nio.file.Path;
import org.jvrpc.benchmarks.harness.ServerEnd;

/** The server's side of every limit: waits for each ping in a spin, does its work, answers by a pong of its number. */
abstract class LineServer implements ServerEnd {

    private final int dataBytes;
    private volatile boolean running = true;

    /** @param dataBytes of the mapped file after its words */
    LineServer(int dataBytes) {
        this.dataBytes = dataBytes;
    }

    /** What comes between a ping and its pong. */
    abstract void work(Lines lines, long number);

    @Override
    public String start(Path directory, int clients) throws IOException {
        Path file = directory.resolve("lines");
        Lines lines = Lines.map(file, dataBytes);
        Thread thread = new Thread(() -> serve(lines), "limit");
        thread.setDaemon(true);
        thread.start();
        return file.toString();
    }

    private void serve(Lines lines) {
        long number = 1;
        while (running) {
            if (lines.load(Lines.PING) == number) {
                work(lines, number);
                lines.publish(Lines.PONG, number);
                number++;
            } else {
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public void close() {
        running = false;
    }
}
