package org.jvrpc.runtime.session;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes, last first, what was made before something failed, or what is not needed any more. One thread. */
public final class Undo implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Undo.class);

    private final Deque<AutoCloseable> made = new ArrayDeque<>();

    public <C extends AutoCloseable> C keep(C closeable) {
        made.push(closeable);
        return closeable;
    }

    @Override
    public void run() {
        for (AutoCloseable closeable : made) {
            try {
                closeable.close();
            } catch (Throwable e) { // what is left is closed all the same
                LOG.warn("closing {}: {}", closeable, e.toString());
            }
        }
        made.clear();
    }
}
