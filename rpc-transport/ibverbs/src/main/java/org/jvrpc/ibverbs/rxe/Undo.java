package org.jvrpc.ibverbs.rxe;

import java.util.ArrayDeque;
import java.util.Deque;

/** What must be undone when making something fails on its way, last done first. One thread. */
final class Undo {

    private final Deque<Runnable> steps = new ArrayDeque<>();

    void add(Runnable step) {
        steps.push(step);
    }

    void run() {
        while (!steps.isEmpty()) {
            steps.pop().run();
        }
    }
}
