package org.jvrpc.runtime.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.Admission;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.runtime.MessageSession;
import org.jvrpc.runtime.SessionLimits;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Idler;
import org.jvrpc.runtime.thread.Threads;
import org.jvrpc.runtime.verbs.StillDevice;
import org.jvrpc.runtime.verbs.StillDevices;
import org.jvrpc.runtime.verbs.StillRequest;
import org.jvrpc.testing.Waits;

/** A message server on a device that does only what it is told to; where its threads do not run, step by step. */
class MessageServerCoreTest {

    private static final String ADDRESS = "still://here";
    private static final String POLLER = "jvrpc-messages-here";
    private static final String CONTROL = "jvrpc-message-control-here";
    private static final String END = "jvrpc-message-end";
    private static final long KEEP_ALIVE_NS = 1_000_000;
    private static final int MAX_FRAME = 5000;
    private static final int MOST_WAITS = 1000;

    private final StillDevice device = new StillDevice();
    private final Map<String, Runnable> tasks = new ConcurrentHashMap<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final MessageServerOptions options = new MessageServerOptions();
    private final MessageHandler handler = new Handler();
    private Runnable whenOpened = () -> { };
    private long nowNs = 1_000_000_000;

    private final class Handler implements MessageHandler {

        @Override
        public void opened(MessageSession session) {
            told.add("opened " + session.id());
            whenOpened.run();
        }

        @Override
        public void frame(MessageSession session, ByteBuffer frame) {
            throw new AssertionError("none comes");
        }

        @Override
        public void closed(MessageSession session, Throwable cause) {
            told.add(cause == null ? "closed" : "closed: " + cause.getMessage());
        }
    }

    private MessageServerCore make(Threads from) {
        StillDevices.next(device);
        device.quick = true;
        options.address(ADDRESS);
        options.handlers(() -> handler);
        options.idle(IdleStrategy.BLOCK);
        options.keepAliveNs(KEEP_ALIVE_NS);
        options.maxFrameBytes(MAX_FRAME);
        options.environment(new Environment(() -> nowNs, from));
        return new MessageServerCore(options);
    }

    /** Makes and starts a server whose threads do not run. */
    private MessageServerCore still() {
        MessageServerCore core = make((task, name) -> {
            tasks.put(name, task);
            return new Thread(() -> { }, name);
        });
        core.start();
        return core;
    }

    /** Makes one whose threads run. */
    private MessageServerCore running() {
        MessageServerCore core = make((task, name) -> {
            Thread thread = Threads.DAEMONS.make(task, name);
            threads.add(thread);
            return thread;
        });
        core.start();
        return core;
    }

    /** Has the control thread look twice, on this thread, and the server closed in the second look. */
    private void control(MessageServerCore core) {
        control(core, core::close);
    }

    /** Has something happen in the second look, of which the control thread keeps back what is thrown. */
    private void control(MessageServerCore core, Runnable meanwhile) {
        int[] looks = new int[1];
        Throwable[] thrown = new Throwable[1];
        device.whenAwaiting = () -> {
            if (++looks[0] > 1) {
                device.whenAwaiting = core::close;
                try {
                    meanwhile.run();
                } catch (RuntimeException | Error e) {
                    thrown[0] = e;
                }
                core.close();
            }
        };
        tasks.get(CONTROL).run();
        device.whenAwaiting = () -> { };
        assertNull(thrown[0], "in the second look");
    }

    private StillRequest connect(Runnable whenRead) {
        StillRequest request = new StillRequest(device, Hello.request(Protocol.MESSAGES, 4, 256, 1000), whenRead);
        device.requests.add(request);
        return request;
    }

    private List<String> ended() {
        return device.did().stream().filter(what -> what.startsWith("close ")).toList();
    }

    // ---- its address

    @Test
    void itsAddressIsWhereItsListenerIs() {
        MessageServerCore core = still();
        assertEquals(ADDRESS + ":1", core.address(), "the port that was taken");
        core.rebind("still://there");
        assertEquals("still://there:1", core.address());
        core.close();
    }

    @Test
    void anAddressIsGivenFreeOnceAndTakenAgain() {
        MessageServerCore core = still();
        device.did();
        core.unbind();
        core.unbind();
        assertNull(core.address());
        assertEquals(List.of("close listener"), device.did());
        core.rebind("still://there");
        assertEquals(List.of("listen still://there"), device.did());
        core.rebind("still://elsewhere");
        assertEquals(List.of("close listener", "listen still://elsewhere"), device.did());
        core.close();
    }

    @Test
    void aServerThatIsClosedTakesNoOtherAddress() {
        MessageServerCore core = still();
        core.close();
        device.did();
        assertEquals("the server is closed, address=still://there",
                assertThrows(IllegalStateException.class, () -> core.rebind("still://there")).getMessage());
        assertEquals(List.of(), device.did());
    }

    @Test
    void aServerThatCannotBeMadeLeavesNoDevice() {
        options.spin(Duration.ofSeconds(Long.MAX_VALUE));
        assertThrows(ArithmeticException.class, this::still);
        assertEquals(List.of("close device"), ended());
    }

    // ---- who connects

    @Test
    void whoConnectsIsGrantedWhatThisSideTakesAndPolled() {
        MessageServerCore core = still();
        StillRequest request = connect(() -> { });
        control(core);
        assertEquals(MAX_FRAME, request.granted.maxBytes());
        assertEquals(1, request.granted.session());
        tasks.get(POLLER).run(); // it ends at once
        assertEquals(List.of("opened 1", "closed"), told);
    }

    @Test
    void whoConnectsWhileTheServerClosesIsRefused() {
        MessageServerCore core = still();
        StillRequest request = connect(core::close);
        control(core);
        assertNull(request.granted);
        assertEquals("refused: server is closed",
                Hello.refused(request.refused, new IllegalStateException("refused")).getMessage());
    }

    @Test
    void aPeerOnAnotherHostIsAskedForASignOfLife() {
        device.peerHost = InetAddress.getLoopbackAddress();
        MessageServerCore core = still();
        connect(() -> { });
        int[] waits = new int[1];
        control(core, () -> {
            device.whenAwaiting = () -> {
                nowNs += KEEP_ALIVE_NS;
                if (device.pings() > 0 || ++waits[0] == MOST_WAITS) {
                    core.close();
                }
            };
            tasks.get(POLLER).run();
        });
        assertEquals(1, device.pings());
    }

    @Test
    void whatASessionHadIsGivenBackByTheControlThread() {
        MessageServerCore core = still();
        connect(() -> { });
        control(core, () -> {
            whenOpened = core::close;
            tasks.get(POLLER).run();
            assertEquals(List.of("close listener", "close device"), ended());
        });
        assertEquals(List.of("opened 1", "closed"), told);
        assertTrue(ended().containsAll(List.of("close qp", "close memory")), "buried behind the end");
    }

    // ---- the end

    @Test
    void itIsOpenUntilItIsClosedAndClosesOnce() {
        MessageServerCore core = still();
        assertTrue(core.isOpen());
        device.did();
        core.close();
        core.close();
        assertFalse(core.isOpen());
        assertNull(core.address());
        assertEquals(List.of("close listener", "close device"), ended());
        tasks.get(POLLER).run(); // returns, since it is stopped
    }

    private void awaitEnd() {
        Waits.until("all threads to end", () -> threads.stream().noneMatch(Thread::isAlive), threads::toString);
    }

    private List<String> names() {
        return threads.stream().map(Thread::getName).sorted().toList();
    }

    @Test
    void closingEndsItsThreads() {
        MessageServerCore core = running();
        assertFalse(core.isPollingThread());
        assertTrue(threads.stream().allMatch(Thread::isAlive));
        core.close();
        assertTrue(threads.stream().noneMatch(Thread::isAlive), names()::toString);
        assertEquals(List.of(CONTROL, POLLER), names());
    }

    @Test
    void aHandlerThatClosesItsServerIsNotWaitedForByItself() {
        List<Boolean> polling = new ArrayList<>();
        MessageServerCore[] core = new MessageServerCore[1];
        connect(() -> { });
        whenOpened = () -> {
            polling.add(core[0].isPollingThread());
            core[0].close();
        };
        MessageServerCore made = make((task, name) -> {
            Thread thread = Threads.DAEMONS.make(task, name);
            threads.add(thread);
            return thread;
        });
        core[0] = made;
        made.start();
        Waits.until("the end", () -> !made.isOpen() && threads.size() == 3);
        awaitEnd();
        assertEquals(List.of(true), polling);
        assertEquals(List.of(CONTROL, END, POLLER), names());
        assertEquals(List.of("opened 1", "closed"), told);
        assertTrue(ended().contains("close device"));
    }

    @Test
    void aServerWhoseDeviceIsGoneEndsByAThreadOfItsOwn() {
        device.lost = true;
        MessageServerCore core = running();
        Waits.until("the end", () -> !core.isOpen() && threads.size() == 3);
        awaitEnd();
        assertEquals(List.of(CONTROL, END, POLLER), names());
        assertTrue(ended().contains("close device"));
    }

    // ---- what it is made with

    @Test
    void optionsAreWhatWasSet() {
        MessageServerOptions fresh = new MessageServerOptions();
        assertSame(Admission.EVERYBODY, fresh.admission());
        Admission nobody = client -> "nobody";
        fresh.admission(nobody);
        assertSame(nobody, fresh.admission());
        SessionLimits limits = new SessionLimits();
        fresh.limits(limits);
        assertSame(limits, fresh.limits());
        assertSame(Environment.SYSTEM, fresh.environment());
        assertSame(Clock.SYSTEM, fresh.environment().clock());
        assertEquals(16 << 20, fresh.maxFrameBytes());
        assertEquals(60_000_000_000L, fresh.keepAliveNs());
        assertNull(fresh.address());
        assertNull(fresh.handlers());
    }

    @Test
    void budgetsAreWhatWasSet() {
        MessageServerOptions fresh = new MessageServerOptions();
        assertEquals(64L << 20, fresh.queueBudget().sessionBytes());
        fresh.maxQueuedBytes(1 << 16, 1 << 16);
        assertEquals(1 << 16, fresh.queueBudget().sessionBytes());
        assertEquals("maxQueuedBytes must be at least 65536 for a session and no less in all, perSession=65535 "
                        + "inAll=65536",
                assertThrows(IllegalArgumentException.class, () -> fresh.maxQueuedBytes((1 << 16) - 1, 1 << 16))
                        .getMessage());
        assertThrows(IllegalArgumentException.class, () -> fresh.maxQueuedBytes(1 << 16, (1 << 16) - 1));
        assertEquals(1 << 16, fresh.queueBudget().sessionBytes(), "a refusal changes nothing");
    }

    @Test
    void thePollerWaitsAsItWasSet() {
        MessageServerOptions fresh = new MessageServerOptions();
        fresh.idle(IdleStrategy.BLOCK);
        assertTrue(fresh.idler().idle(0));
        fresh.spin(Duration.ofNanos(5));
        Idler spinning = fresh.idler();
        assertFalse(spinning.idle(0));
        assertFalse(spinning.idle(4));
        assertTrue(spinning.idle(5));
    }
}
