package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.thread.Events;

/** When there is an event thread, where the device looks at sockets itself. Its rounds are run by the test. */
class EventThreadLifeTest {

    private static final long REST_NS = 2_000_000_000;
    private static final long FOREVER_NS = 3_600_000_000_000L;
    private static final long DRAIN_LOOK_NS = 10_000_000;

    private final StillClient client = new StillClient();
    private final Device device = new Device();
    private ClientEvents events;

    @AfterEach
    void close() {
        client.noThreads = null;
        client.close();
    }

    /** A channel of a device that looks itself. */
    private final class Device implements Events {

        private final List<Long> waits = new ArrayList<>();
        private final Queue<Runnable> meanwhile = new ArrayDeque<>();
        private int wakes;
        private Runnable told;

        @Override
        public void await(long timeoutNs) {
            waits.add(timeoutNs);
            if (meanwhile.isEmpty()) {
                events.stop();
            } else {
                meanwhile.remove().run();
            }
        }

        @Override
        public void wakeup() {
            wakes++;
        }

        @Override
        public boolean notifies() {
            return true;
        }

        @Override
        public boolean notifyOnce(Runnable owner) {
            told = owner;
            return true;
        }
    }

    private void begin() {
        client.threads.clear();
        events = new ClientEvents(client.core, device, "still");
        events.start();
        events.begin(client.peer);
    }

    private void passes(long ns) {
        device.meanwhile.add(() -> client.time.nowNs += ns);
    }

    @Test
    void thereIsNoneUntilSomethingComes() {
        begin();
        assertEquals(List.of(), client.threads);
        device.told.run();
        assertEquals(1, client.threads.size());
        device.told.run();
        assertEquals(1, client.threads.size(), "there is one");
        assertEquals(1, device.wakes, "which was woken");
    }

    @Test
    void aClientWhoseSessionIsLostHasOneAtOnce() {
        client.peer.breakOff();
        begin();
        assertEquals(1, client.threads.size());
    }

    @Test
    void oneBeginsForTheFirstAsynchronousCall() {
        begin();
        events.attend(true);
        assertEquals(1, client.threads.size());
    }

    @Test
    void oneBeginsForACallerThatSleeps() {
        begin();
        events.call();
        assertEquals(1, client.threads.size());
    }

    @Test
    void itHasTheClassLoaderOfWhoMadeTheClient() {
        Thread current = Thread.currentThread();
        ClassLoader own = new ClassLoader(current.getContextClassLoader()) { };
        ClassLoader before = current.getContextClassLoader();
        current.setContextClassLoader(own);
        try {
            begin();
        } finally {
            current.setContextClassLoader(before);
        }
        events.wake();
        assertSame(own, client.threads.get(0).getContextClassLoader());
    }

    @Test
    void itEndsAfterTwoSecondsWithoutWork() {
        begin();
        events.wake();
        device.told = null;
        passes(REST_NS - 1);
        device.meanwhile.add(() -> assertNull(device.told, "it was woken sooner"));
        passes(REST_NS);
        events.run();
        assertEquals(List.of(REST_NS, REST_NS, REST_NS), device.waits, "it looks at the channel no more");
        events.wake();
        assertEquals(2, client.threads.size(), "another did not begin");
    }

    @Test
    void theNextLivesForTwoSecondsAtLeast() {
        begin();
        events.wake();
        passes(REST_NS);
        events.run();
        events.wake();
        passes(REST_NS);
        events.run();
        assertEquals(List.of(REST_NS, REST_NS), device.waits);
    }

    @Test
    void itDoesNotEndWhileSessionsDrain() {
        begin();
        events.wake();
        ClientSession leaving = client.newSession(new StillClient.Peer());
        leaving.tryClaim(); // whose caller writes its arguments
        client.core.draining().add(leaving);
        device.told = null;
        passes(REST_NS);
        passes(REST_NS);
        events.run();
        assertEquals(List.of(DRAIN_LOOK_NS, DRAIN_LOOK_NS, DRAIN_LOOK_NS), device.waits);
        assertNull(device.told);
    }

    @Test
    void noneBeginsWhenItsClientStops() {
        begin();
        events.stop();
        events.wake();
        assertEquals(List.of(), client.threads);
    }

    @Test
    void oneThatCannotBeginIsAskedForAgain() {
        begin();
        client.noThreads = new OutOfMemoryError("no thread, says the test");
        events.wake();
        assertEquals(1, device.wakes, "the device is called");
        assertThrows(OutOfMemoryError.class, device.told::run, "which is to come again");
        client.noThreads = null;
        device.told.run();
        assertEquals(1, client.threads.size());
    }

    @Test
    void aClientThatNeedsOneAtOnceIsNotMadeWithoutIt() {
        client.peer.breakOff();
        client.noThreads = new OutOfMemoryError("no thread, says the test");
        assertThrows(OutOfMemoryError.class, this::begin);
    }
}
