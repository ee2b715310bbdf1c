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

    /** Who is interrupted so often in one piece of work will never be done with it, and holds up others. */
    static final int MOST_ATTEMPTS = 100;

    private Uninterrupted() {
    }

    /**
     * Does the work; an interrupt that came before or meanwhile is there afterwards.
     *
     * @throws ClosedByInterruptException when so many attempts were interrupted
     */
    static <T> T run(FileWork<T> work) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            for (int attempt = 1;; attempt++) {
                try {
                    return work.run();
                } catch (ClosedByInterruptException e) {
                    interrupted |= Thread.interrupted();
                    if (attempt == MOST_ATTEMPTS) {
                        throw e;
                    }
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
