package org.jvrpc.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Lines of a stream, read as they come so that whoever writes never waits, and kept. */
final class Lines {

    private static final int SHOWN = 60;

    private final List<String> all = new ArrayList<>();
    private int next;
    private boolean ended;

    Lines(String name, BufferedReader reader) {
        Thread thread = new Thread(() -> read(reader), name);
        thread.setDaemon(true);
        thread.start();
    }

    private void read(BufferedReader reader) {
        try (reader) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                add(line);
            }
        } catch (IOException e) {
            add("reading: " + e);
        }
        synchronized (this) {
            ended = true;
            notifyAll();
        }
    }

    private synchronized void add(String line) {
        all.add(line);
        notifyAll();
    }

    /** Waits for the next line; returns null when the stream has ended or, as {@link #hasEnded} tells, time is over. */
    synchronized String next(long limitNs) {
        long startNs = System.nanoTime();
        long restNs = limitNs;
        while (next == all.size() && !ended && restNs > 0) {
            try {
                wait(restNs / 1_000_000 + 1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted while waiting for a line", e);
            }
            restNs = limitNs - (System.nanoTime() - startNs);
        }
        return next < all.size() ? all.get(next++) : null;
    }

    synchronized boolean hasEnded() {
        return ended;
    }

    /** Takes all lines so far as read. */
    synchronized void skip() {
        next = all.size();
    }

    synchronized List<String> toList() {
        return List.copyOf(all);
    }

    /** Returns the last lines, for a failure. */
    @Override
    public synchronized String toString() {
        int first = Math.max(0, all.size() - SHOWN);
        return (first == 0 ? "" : "(" + first + " lines)\n") + String.join("\n", all.subList(first, all.size()));
    }
}
