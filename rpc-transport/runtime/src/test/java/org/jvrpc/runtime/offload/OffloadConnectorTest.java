package org.jvrpc.runtime.offload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.service.MethodOffer;
import org.jvrpc.runtime.session.Settings;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.verbs.StillDevice;
import org.jvrpc.runtime.verbs.StillDevices;
import org.jvrpc.verbs.Devices;

/** The thread that makes connections to programs: what it does, when it sleeps, and how it ends. */
class OffloadConnectorTest {

    private static final long PAUSE_NS = 1_000_000;
    private static final MethodOffer OFFER = new MethodOffer(1, 64, "still://host", "one");
    private static final MethodOffer OTHER = new MethodOffer(2, 64, "still://host", "two");
    private static final MethodOffer[] OFFERS = {OFFER, OTHER};

    private final StillDevice device = new StillDevice();
    private final Settings settings = new Settings();
    private final List<Thread> threads = new ArrayList<>();
    private final List<Long> parks = new ArrayList<>();
    private final List<String> did = new ArrayList<>();
    /** Whether threads that are made are started. */
    private boolean starts;
    private final OffloadConnector connector;

    OffloadConnectorTest() {
        StillDevices.next(device);
        settings.environment(new Environment(new Clock() {
            @Override
            public long nanoTime() {
                return 1;
            }

            @Override
            public void parkNanos(Object blocker, long ns) {
                parks.add(ns);
                did.add("park");
            }
        }, this::thread));
        connector = new OffloadConnector("still://server", Devices.open("still://client"), settings);
    }

    private Thread thread(Runnable task, String name) {
        Thread thread = new Thread(task, name) {
            @Override
            public void start() {
                threads.add(this);
                if (starts) {
                    super.start();
                }
            }
        };
        thread.setDaemon(true);
        return thread;
    }

    private void open() {
        connector.lookups(OFFERS, 3);
        device.did();
    }

    // ---- what is offered

    @Test
    void aClientWithoutConnectionsOrOffersHasNoThread() {
        assertNull(connector.lookups(null, 3));
        settings.offloadConnections(0);
        assertNull(connector.lookups(OFFERS, 3));
        assertEquals(List.of(), threads);
        assertEquals(0, connector.answered());
        connector.stop();
        assertEquals(List.of(), device.did());
    }

    @Test
    void lookupsAreByTheirMethodsAndTheSameForTheSameOffer() {
        MethodLookups[] found = connector.lookups(OFFERS, 3);
        assertEquals(3, found.length);
        assertNull(found[0]);
        assertTrue(found[1].isFor(OFFER));
        assertTrue(found[2].isFor(OTHER));
        MethodLookups[] again = connector.lookups(new MethodOffer[] {OTHER}, 3);
        assertNull(again[1]);
        assertSame(found[2], again[2]);
        assertNotSame(found[1], found[2]);
        assertEquals(List.of("channel"), device.did());
        assertEquals(1, threads.size());
        assertEquals("jvrpc-offloads-server", threads.get(0).getName());
    }

    @Test
    void aClientThatIsClosedHasNoLookups() {
        connector.stop();
        assertNull(connector.lookups(OFFERS, 3));
        assertEquals(List.of(), threads);
    }

    // ---- the thread

    @Test
    void whatIsAskedForIsDoneInItsOrderBeforeTheThreadSleeps() {
        open();
        connector.execute(() -> did.add("one"));
        connector.execute(() -> did.add("two"));
        assertEquals(List.of("wakeup", "wakeup"), device.did());
        int[] sleeps = new int[1];
        device.whenAwaiting = () -> {
            did.add("sleep");
            if (sleeps[0]++ == 0) {
                connector.execute(() -> did.add("three"));
            } else {
                connector.stop();
            }
        };
        connector.run();
        assertEquals(List.of("one", "two", "sleep", "three", "sleep"), did);
    }

    @Test
    void aClientThatIsClosedDoesNothingMore() {
        open();
        device.whenAwaiting = () -> did.add("sleep");
        connector.execute(connector::stop);
        connector.execute(() -> did.add("late"));
        connector.run();
        assertEquals(List.of(), did);
        device.did();
        connector.execute(() -> did.add("late"));
        assertEquals(List.of(), device.did(), "nobody is woken");
        connector.run();
        assertEquals(List.of(), did);
    }

    @Test
    void whatFailsIsLeftAndTheThreadGoesOnAfterAPause() {
        open();
        for (Throwable planted : List.of(new IllegalStateException("planted"), new AssertionError("planted"))) {
            planted.setStackTrace(new StackTraceElement[0]); // the log is to be short
            connector.execute(() -> {
                if (planted instanceof Error error) {
                    throw error;
                }
                throw (RuntimeException) planted;
            });
        }
        connector.execute(() -> did.add("next"));
        device.whenAwaiting = connector::stop;
        connector.run();
        assertEquals(List.of("park", "park", "next"), did);
        assertEquals(List.of(PAUSE_NS, PAUSE_NS), parks);
    }

    @Test
    void whatFailsBecauseTheClientIsClosedIsNoFailure() {
        open();
        connector.execute(() -> {
            connector.stop();
            throw new IllegalStateException("planted");
        });
        connector.run();
        assertEquals(List.of(), did);
    }

    // ---- its end

    @Test
    void whoeverClosesWakesTheThreadAndWaitsForItsEnd() {
        starts = true;
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean woken = new AtomicBoolean();
        Thread closing = Thread.currentThread();
        device.whenWoken = () -> woken.set(true);
        device.whenAwaiting = () -> {
            begun.countDown();
            Await.until("somebody to wait for this thread",
                    () -> woken.get() && closing.getState() == Thread.State.TIMED_WAITING);
        };
        connector.lookups(OFFERS, 3);
        Await.latch("the thread", begun);
        connector.stop();
        assertFalse(threads.get(0).isAlive());
    }

    @Test
    void whoeverIsInterruptedWhileItClosesStaysSo() {
        starts = true;
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        device.whenAwaiting = () -> {
            begun.countDown();
            Await.latch("the test", end);
        };
        connector.lookups(OFFERS, 3);
        Await.latch("the thread", begun);
        Thread.currentThread().interrupt();
        connector.stop();
        assertTrue(Thread.interrupted());
        assertTrue(threads.get(0).isAlive(), "it is not waited for");
        end.countDown();
        Await.until("the end of the thread", () -> !threads.get(0).isAlive());
    }
}
