package org.jvrpc.watch.drift;

import java.util.List;

/** A file that does not say what is wanted, or does not say it rightly. The message has a line for each mistake. */
public final class DesiredException extends Exception {

    private static final long serialVersionUID = 1;

    DesiredException(List<String> mistakes) {
        super(String.join("\n", mistakes));
    }
}
