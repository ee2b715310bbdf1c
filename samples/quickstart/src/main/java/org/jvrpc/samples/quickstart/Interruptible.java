package org.jvrpc.samples.quickstart;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets Ctrl-C end a client's run early, with its table, and everything be closed before the process ends. */
final class Interruptible implements AutoCloseable {

    private static final long END_SECONDS = 12;

    private final ClientRun client = new ClientRun(System.out, System.getenv("JVRPC_QUICKSTART_LIVE") != null);
    private final CountDownLatch ended = new CountDownLatch(1);

    Interruptible() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::interrupted, "quickstart-end"));
    }

    ClientRun client() {
        return client;
    }

    private void interrupted() {
        client.stop();
        try {
            ended.await(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        ended.countDown();
    }
}
