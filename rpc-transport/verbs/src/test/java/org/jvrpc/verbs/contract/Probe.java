package org.jvrpc.verbs.contract;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.WorkCompletion;

/** A CQ whose completions are kept until a test asks for them, so that all CQs of a test can be polled at any time. */
final class Probe {

    private static final int HISTORY = 24;

    private final CompletionQueue cq;
    private final String name;
    private final WorkCompletion wc = new WorkCompletion();
    private final Deque<Wc> found = new ArrayDeque<>();
    private final List<Wc> history = new ArrayList<>();

    Probe(CompletionQueue cq, String name) {
        this.cq = cq;
        this.name = name;
    }

    CompletionQueue cq() {
        return cq;
    }

    void pump() {
        while (cq.poll(wc)) {
            Wc kept = Wc.of(wc);
            found.add(kept);
            history.add(kept);
            if (history.size() > HISTORY) {
                history.remove(0);
            }
        }
    }

    /** Returns the oldest completion that nobody took, or null. */
    Wc take() {
        return found.poll();
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    @Override
    public String toString() {
        return name + " (untaken " + found + ", last seen " + history + ")";
    }
}
