package org.jvrpc.verbs.rare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Marks a branch that is seldom taken, by words that name it. Where the system property
 * {@value #PROPERTY} names a folder, as it does in tests, a file of that name is made there when a process takes the
 * branch for the first time, and {@code .ci/rare} says which marks of the sources have none. Elsewhere the property is
 * not set when this class is loaded, and compilers leave the marks out.
 */
public final class Rare {

    /** Names the folder. */
    public static final String PROPERTY = "jvrpc.rare";

    private static final String FOLDER = System.getProperty(PROPERTY);
    private static final Set<String> REACHED = ConcurrentHashMap.newKeySet();

    private Rare() {
    }

    /** The branch is taken. Any thread; never throws. @param what names it: words, of letters and digits */
    public static void reached(String what) {
        if (FOLDER != null && REACHED.add(what)) {
            note(what);
        }
    }

    private static void note(String what) {
        try {
            Path folder = Files.createDirectories(Path.of(FOLDER));
            Files.write(folder.resolve(what), new byte[0]);
        } catch (IOException | RuntimeException e) {
            System.err.println("cannot note that it was reached: " + what + ": " + e); // .ci/rare will miss it
        }
    }
}
