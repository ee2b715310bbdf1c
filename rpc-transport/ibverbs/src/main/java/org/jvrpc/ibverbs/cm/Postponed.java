package org.jvrpc.ibverbs.cm;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Ids whose end waits until the network device of their rxe device is up. To end one sends a message, by a QP that is
 * the kernel's own; rxe of Linux 6.1 moves this QP to ERR when the message cannot leave because the network device is
 * down, and nothing moves it back: nobody would connect by the device any more until it is deleted and made anew. What
 * the kernel sends by itself, for a process that ends meanwhile, cannot be helped. Any thread.
 */
final class Postponed {

    private static final long LOOK_NS = 50_000_000;
    /** Looks in a row that must find the device up: routes come back a moment after it. */
    private static final int LOOKS_UP = 3;

    private static final List<Postponed> WAITING = new ArrayList<>();

    private final String device;
    private final Runnable end;
    private int looksUp;

    private Postponed(String device, Runnable end) {
        this.device = device;
        this.end = end;
    }

    /** Ends an id now, or when its device is up again. */
    static void end(String device, Runnable end) {
        if (RxeLink.down(device) == null) {
            end.run();
            return;
        }
        synchronized (WAITING) {
            if (WAITING.isEmpty()) {
                Thread thread = new Thread(Postponed::run, "jvrpc-rdma-postponed");
                thread.setDaemon(true);
                thread.start();
            }
            WAITING.add(new Postponed(device, end));
        }
    }

    private static void run() {
        while (true) {
            LockSupport.parkNanos(LOOK_NS);
            List<Postponed> ready = new ArrayList<>();
            synchronized (WAITING) {
                for (Postponed each : WAITING) {
                    if (each.isReady()) {
                        ready.add(each);
                    }
                }
            }
            ready.forEach(each -> each.end.run()); // without the monitor: the end waits for events to be taken
            synchronized (WAITING) {
                WAITING.removeAll(ready);
                if (WAITING.isEmpty()) {
                    return;
                }
            }
        }
    }

    private boolean isReady() {
        looksUp = RxeLink.down(device) == null ? looksUp + 1 : 0;
        return looksUp >= LOOKS_UP || RxeLink.isLeaving(device);
    }
}
