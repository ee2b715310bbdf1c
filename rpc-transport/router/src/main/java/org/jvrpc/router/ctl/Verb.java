package org.jvrpc.router.ctl;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/** Something that a router does when it is asked. */
public interface Verb {

    /**
     * Does it, on a thread of its own.
     *
     * @param words behind the verb's name, or an empty text
     * @param waits false when nobody waits for the answer any more
     * @return what is printed
     * @throws IllegalArgumentException when the words mean nothing
     * @throws IOException when it could not be done
     */
    String run(String words, BooleanSupplier waits) throws IOException, InterruptedException;
}
