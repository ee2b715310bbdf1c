package org.jvrpc.softrnic.memory;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import org.jvrpc.verbs.rare.Rare;

/**
 * Work on files that an interrupt does not end: a {@link java.nio.channels.FileChannel} closes itself in the hands of
 * an interrupted thread, but memory that a caller's thread maps for its session is that of others, too.
 */
final class Uninterrupted {

    /** Opens its files itself: it is done again when an interrupt closed them. */
    @FunctionalInterface
    interface FileWork<T> {
        T run() throws IOException;
    }

    private Uninterrupted() {
    }

    /** Does the work; an interrupt that came before or meanwhile is there afterwards. */
    static <T> T run(FileWork<T> work) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return work.run();
                } catch (ClosedByInterruptException e) {
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Rare.reached("an interrupted thread opens a file of shared memory");
                Thread.currentThread().interrupt();
            }
        }
    }
}
