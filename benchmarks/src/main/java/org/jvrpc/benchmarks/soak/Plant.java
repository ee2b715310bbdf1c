package org.jvrpc.benchmarks.soak;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** A fault that is planted by a property, for tests of the campaign itself. Many threads. */
final class Plant {

    /** Names it. */
    static final String PROPERTY = "jvrpc.soak.plant";

    /** What can be planted. */
    enum Kind {
        NONE,
        /** Some calls run twice. */
        DOUBLE,
        /** Some calls get the answer of the one before. */
        SWAP,
        /** Some futures never end. */
        LOSE,
        /** Some calls leave a descriptor open. */
        LEAK_FD
    }

    private static final int ONE_IN = 10;

    private final Kind kind;
    private final AtomicLong calls = new AtomicLong();
    private final List<FileInputStream> leaked = new ArrayList<>();

    Plant() {
        String name = System.getProperty(PROPERTY, "none");
        kind = Kind.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** Returns true when this call is to be hit by a fault of this kind. */
    boolean hits(Kind which) {
        if (kind != which) {
            return false;
        }
        return calls.incrementAndGet() % ONE_IN == 0;
    }

    synchronized void leakDescriptor() {
        try {
            leaked.add(new FileInputStream("/dev/null"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
