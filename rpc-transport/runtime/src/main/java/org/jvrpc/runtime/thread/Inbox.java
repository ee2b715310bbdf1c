package org.jvrpc.runtime.thread;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A queue that its owner looks at all the time: one load tells that there is nothing. Any thread. */
public final class Inbox<T> {

    private final Queue<T> queue = new ConcurrentLinkedQueue<>();
    /** False only while there is nothing, or somebody is just adding. */
    private volatile boolean filled;

    /** Adds behind all others. */
    public void add(T element) {
        queue.add(element);
        filled = true;
    }

    /** Returns false when there was nothing when it was looked at last, and nothing was added since. */
    public boolean isFilled() {
        return filled;
    }

    /** Returns the oldest, which stays; null when there is nothing. */
    public T peek() {
        T oldest = queue.peek();
        if (oldest == null && filled) {
            filled = false;
            oldest = queue.peek(); // what was added before that is found here, else whoever adds says so again
            if (oldest != null) { // else nothing is written: it could be false over the word of who has just added
                filled = true;
            }
        }
        return oldest;
    }

    /** Runs all that there is, in order; returns how many. */
    public static int runAll(Inbox<Runnable> inbox) {
        int count = 0;
        for (Runnable next = inbox.poll(); next != null; next = inbox.poll()) {
            count++;
            next.run();
        }
        return count;
    }

    /** Takes the oldest; null when there is nothing. */
    public T poll() {
        T oldest = queue.poll();
        if (oldest == null && filled) {
            filled = false;
            oldest = queue.poll();
            if (oldest != null) { // as above; there may be more
                filled = true;
            }
        }
        return oldest;
    }
}
