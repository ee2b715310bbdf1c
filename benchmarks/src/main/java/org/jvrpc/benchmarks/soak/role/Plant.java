package org.jvrpc.benchmarks.soak.role;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Faults that are planted by a property, for tests of the campaign itself. Many threads. */
public final class Plant {

    /** The property of a process that names one, or some with commas between them: {@code double,leak-fd}. */
    public static final String PROPERTY = "jvrpc.soak.plant";

    /** What can be planted. */
    enum Kind {
        /** Some calls run twice. */
        DOUBLE,
        /** Some calls get the answer of the one before. */
        SWAP,
        /** Some futures never end. */
        LOSE,
        /** Some calls leave descriptors open. */
        LEAK_FD
    }

    private static final String NONE = "none";
    private static final int ONE_IN = 10;
    private static final int LEAKED_AT_ONCE = 3;

    /** How many calls each could have hit. */
    private final Map<Kind, AtomicLong> calls = new EnumMap<>(Kind.class);
    private final List<FileInputStream> leaked = new ArrayList<>();

    Plant() {
        for (String name : System.getProperty(PROPERTY, NONE).split(",")) {
            if (!name.equals(NONE)) {
                calls.put(Kind.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_')), new AtomicLong());
            }
        }
    }

    /** Returns true when this call is to be hit by a fault of this kind. */
    boolean hits(Kind which) {
        AtomicLong count = calls.get(which);
        return count != null && count.incrementAndGet() % ONE_IN == 0;
    }

    /** Slow machines make few calls, so each leaks some. */
    synchronized void leakDescriptors() {
        try {
            for (int i = 0; i < LEAKED_AT_ONCE; i++) {
                leaked.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
