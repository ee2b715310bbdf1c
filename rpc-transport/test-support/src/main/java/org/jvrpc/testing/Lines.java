package org.jvrpc.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Lines of a stream, read as they come so that whoever writes never waits, and kept. */
final class Lines {

    private static final int SHOWN = 60;
    /** Where HotSpot's report of a crash begins, and where it has the stacks. */
    private static final List<String> CRASH = List.of("A fatal error has been detected", "Stack: [");

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

    /** Returns the last lines, for a failure; of a JVM that crashed where it did so, too. */
    @Override
    public synchronized String toString() {
        StringBuilder text = new StringBuilder();
        int shown = 0;
        for (String mark : CRASH) {
            for (int i = shown; i < all.size(); i++) {
                if (all.get(i).contains(mark)) {
                    shown = show(text, shown, Math.max(shown, i - SHOWN / 4), Math.min(all.size(), i + SHOWN));
                    break;
                }
            }
        }
        show(text, shown, Math.max(shown, all.size() - SHOWN), all.size());
        return text.toString();
    }

    private int show(StringBuilder text, int shown, int from, int to) {
        if (from > shown) {
            text.append('(').append(from - shown).append(" lines)\n");
        }
        text.append(String.join("\n", all.subList(from, to))).append(to == all.size() ? "" : "\n");
        return to;
    }
}
