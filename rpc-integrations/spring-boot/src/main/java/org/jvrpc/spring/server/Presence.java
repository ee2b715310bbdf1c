package org.jvrpc.spring.server;

import java.util.concurrent.CountDownLatch;

/** Keeps the process there while servers run, whose own threads do not: an application may have nothing else. */
final class Presence {

    private CountDownLatch end;

    synchronized void begin() {
        CountDownLatch now = new CountDownLatch(1);
        end = now;
        Thread thread = new Thread(() -> {
            try {
                now.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "jvrpc-servers");
        thread.setDaemon(false);
        thread.start();
    }

    synchronized void end() {
        if (end != null) {
            end.countDown();
        }
    }
}
