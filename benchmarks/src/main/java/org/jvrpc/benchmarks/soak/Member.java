package org.jvrpc.benchmarks.soak;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.benchmarks.harness.Child;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.soak.plan.Place;

/** A place of the campaign and the process that has it now. The driver's thread alone stops, resumes and kills it. */
final class Member {

    private static final Duration LIMIT = Duration.ofSeconds(90);

    /** Starts a process. */
    interface Starter {
        Child start(Place place, int life) throws ContenderException;
    }

    private final Place place;
    private final Starter starter;
    private final List<Long> pids = new ArrayList<>();
    private volatile Child child;
    private volatile int life;

    Member(Place place, Starter starter) {
        this.place = place;
        this.starter = starter;
    }

    Place place() {
        return place;
    }

    int life() {
        return life;
    }

    /** Starts the first process, or the one after the last. */
    void start() throws ContenderException {
        Child started = starter.start(place, life + 1);
        synchronized (pids) {
            pids.add(started.pid());
        }
        child = started;
    }

    void kill() throws InterruptedException {
        Child killed = child;
        child = null;
        life++;
        if (killed != null) {
            killed.kill();
        }
    }

    void stop() {
        Child running = child;
        if (running != null) {
            running.stop();
        }
    }

    void resume() {
        Child running = child;
        if (running != null) {
            running.resume();
        }
    }

    /** Has the process do something; returns null when it was killed meanwhile. */
    String ask(String command) throws ContenderException {
        int asked = life;
        Child running = child;
        if (running == null) {
            return null;
        }
        try {
            synchronized (running) {
                return running.ask(command, LIMIT);
            }
        } catch (ContenderException e) {
            if (life != asked) {
                return null;
            }
            throw e;
        }
    }

    boolean isRunning() {
        return child != null;
    }

    /** Has the process close everything and end. */
    void end() throws ContenderException {
        resume();
        if (child != null) {
            ask("end");
            child.close();
            child = null;
        }
    }

    /** Returns true when no process of this place is left. */
    boolean isGone() {
        synchronized (pids) {
            return pids.stream().noneMatch(pid -> ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false));
        }
    }
}
