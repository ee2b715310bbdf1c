package org.jvrpc.offload.hull;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Starts the application, waits for its end, starts it again. {@link #run} has a thread; any thread stops it. */
final class ChildKeeper {

    /** Exit status of a command that cannot be started, as shells have it. */
    static final int CANNOT_START = 127;
    /** Exit status of who ends because of SIGTERM. */
    static final int STOPPED = 143;

    /** Starts the application. */
    interface Launcher {

        /** Returns the application's process. @throws IOException when it cannot be started */
        Process launch() throws IOException;
    }

    private final Launcher launcher;
    private final RestartPolicy policy;
    private final long stopNs;
    private final Runnable starting;
    private Process child;
    private boolean everStarted;
    private boolean stopping;

    /**
     * @param stopNs how long the application may take to end when it is told to
     * @param starting called before each start
     */
    ChildKeeper(Launcher launcher, RestartPolicy policy, long stopNs, Runnable starting) {
        this.launcher = launcher;
        this.policy = policy;
        this.stopNs = stopNs;
        this.starting = starting;
    }

    /**
     * Launches a command that speaks where this process does.
     *
     * @param environment added to this process's
     */
    static Launcher of(List<String> command, Map<String, String> environment) {
        return () -> {
            ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
            builder.environment().putAll(environment);
            return builder.start();
        };
    }

    /** Returns once the application has ended for good: 0 when it did so itself, or the exit status to end with. */
    int run() throws InterruptedException {
        while (true) {
            long startNs = System.nanoTime();
            Process process = start();
            int status = process == null ? CANNOT_START : process.waitFor();
            synchronized (this) {
                child = null;
                if (stopping) {
                    return STOPPED;
                }
            }
            if (status == 0) {
                return 0;
            }
            long livedNs = System.nanoTime() - startNs;
            long delayNs = everStarted ? policy.died(livedNs) : RestartPolicy.NEVER;
            String died = process == null ? "" : "the application died, status=" + status + " after ms="
                    + livedNs / 1_000_000 + "; ";
            if (delayNs == RestartPolicy.NEVER) {
                say(died + "ending" + (policy.quick() > 1 ? " after quick deaths=" + policy.quick() : ""));
                return status;
            }
            say(died + "starting it again" + (delayNs == 0 ? "" : " in ms=" + delayNs / 1_000_000));
            pause(delayNs);
        }
    }

    private static void say(String message) {
        System.err.println("hull: " + message);
    }

    private synchronized Process start() {
        if (stopping) {
            return null;
        }
        starting.run();
        try {
            child = launcher.launch();
            everStarted = true;
            return child;
        } catch (IOException e) {
            say("cannot start the application: " + e.getMessage());
            return null;
        }
    }

    private synchronized void pause(long delayNs) throws InterruptedException {
        long startNs = System.nanoTime();
        for (long leftNs = delayNs; leftNs > 0 && !stopping; leftNs = delayNs - (System.nanoTime() - startNs)) {
            TimeUnit.NANOSECONDS.timedWait(this, leftNs);
        }
    }

    /** Tells the application to end, kills it when it does not, starts it no more. Bounded, idempotent. */
    void stop() {
        Process process;
        synchronized (this) {
            stopping = true;
            notifyAll();
            process = child;
        }
        if (process == null) {
            return;
        }
        List<ProcessHandle> family = process.descendants().toList();
        process.destroy();
        try {
            if (!process.waitFor(stopNs, TimeUnit.NANOSECONDS)) {
                say("the application did not end in ms=" + stopNs / 1_000_000 + ": killing it");
                process.destroyForcibly();
                process.waitFor(stopNs, TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        family.forEach(ProcessHandle::destroyForcibly); // what a script started and left
    }
}
