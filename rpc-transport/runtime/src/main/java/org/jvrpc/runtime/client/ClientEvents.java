package org.jvrpc.runtime.client;

import java.lang.invoke.VarHandle;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.thread.ChannelTurn;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Events;

/**
 * The event thread of a client: notices the loss of the connection, polls for calls whose callers do not, keeps the
 * deadlines of asynchronous calls, runs what depends on them, looks whether the server is still there, and connects
 * again. Where a socket tells of the server's end, it sleeps without limit while nothing is in flight. Where the device
 * looks at sockets itself, there is no such thread until one is needed, and none after two seconds without work:
 * others' code runs on it, so that clients cannot have one together.
 */
public final class ClientEvents implements Runnable {

    /** Where that runs which depends on futures whose answers a thread found. */
    public enum Where {
        /** On the thread that found them, which waits for futures itself. */
        HERE,
        /**
         * Elsewhere if there is something; else the thread completes them, which costs less. It waits for a slot, and
         * would run what is made to depend on a future in this very moment.
         */
        HERE_IF_NONE,
        /** On the event thread, or one that waits for a future. */
        ELSEWHERE
    }

    private static final long END_MS = 5000;
    private static final long WATCH_NS = 1_000_000;
    private static final long FOREVER_NS = 3_600_000_000_000L;
    private static final long SPIN_NS = 20_000;
    /** So long after a caller slept its next call is looked for, which had better lead. */
    private static final long LEND_NS = 10_000_000;
    /** So long after another slept beside who led nobody leads: to take the channel back costs more than it saves. */
    private static final long CROWDED_NS = 100_000_000;
    /** A thread that has nothing to do for so long ends, where another can begin. */
    private static final long REST_NS = 2_000_000_000;

    private final SessionOwner client;
    private final ChannelTurn turn;
    private final Clock clock;
    private final boolean mayEnd;
    private final String name;
    private final ClassLoader loader;
    /** The last one, or null. Begins and ends under this object's monitor. */
    private volatile Thread thread;
    private boolean rested;
    private int polls;
    private long pollsChangedNs;
    /** When a caller last slept, or led. */
    private long attendedNs;
    /** When whoever led was last interrupted, as others sleep, too. */
    private long crowdedNs;
    private int leads;
    /** What other threads found the answers of; they complete here. */
    private final Queue<RpcFuture<?>> answered = new ConcurrentLinkedQueue<>();
    /** This thread was woken for them, and has not looked yet. */
    private final AtomicBoolean called = new AtomicBoolean();
    private volatile boolean deep;
    private volatile boolean begun;
    private volatile boolean stopped;
    private volatile boolean ended;

    ClientEvents(SessionOwner client, Events events, String name) {
        this.client = client;
        this.clock = client.clock();
        this.turn = new ChannelTurn(events, clock, this::startIfAbsent);
        this.mayEnd = events.notifies();
        this.pollsChangedNs = clock.nanoTime();
        this.attendedNs = pollsChangedNs - LEND_NS;
        this.crowdedNs = pollsChangedNs - CROWDED_NS;
        this.name = "jvrpc-client-" + name;
        this.loader = Thread.currentThread().getContextClassLoader();
    }

    /** Starts the thread, which waits for {@link #begin} or {@link #stop}, where it is needed in any case. */
    public void start() {
        if (!mayEnd) {
            startThread();
        }
    }

    private synchronized void startThread() {
        Thread made = client.threads().make(this, name);
        made.setContextClassLoader(loader); // that of who made the client, not of who needs the thread
        thread = made;
        made.start();
    }

    private synchronized void startIfAbsent() {
        boolean owns = false;
        try {
            owns = turn.tryOwn();
            if (owns) {
                startThread();
            }
        } catch (RuntimeException | Error e) {
            if (owns) {
                turn.disown();
            }
            throw e;
        }
    }

    /** The client has its first session. The thread sleeps on as it is where that needs nothing of it now. */
    public void begin(Link link) {
        begun = true;
        boolean needed = !link.isConnected() || link.peerHost() != null; // lost before, or of one that is to be asked
        if (!turn.tryOwn()) {
            if (needed) {
                turn.wakeup();
            }
            return;
        }
        deep = true;
        if (needed || !turn.leave()) {
            turn.disown();
            startIfAbsent();
        }
    }

    /** Returns whose turn it is to wait on the channel. */
    ChannelTurn turn() {
        return turn;
    }

    /** Returns true on this thread, where what depends on a future may call and wait, too. */
    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /** Keeps deadlines and notices the end of a session while something on this thread waits for a future of it. */
    void lookAfter(ClientSession session) {
        long nowNs = clock.nanoTime();
        turn.await(0);
        session.tick(nowNs);
        session.peerChecks().look(nowNs);
        if (!session.link().isConnected()) {
            session.end();
        }
    }

    /** Asynchronous calls were sent, the first ones perhaps: they are looked after. */
    void attend(boolean first) {
        if (first) {
            VarHandle.fullFence(); // either this thread sees the count, or its sleep is seen here
        }
        call();
    }

    /** Calls are in flight that nobody may be polling for. */
    void call() {
        if (deep) {
            turn.wakeup();
        }
    }

    /**
     * Has futures complete, whose dependents are others' code. Any thread, without a session's lock.
     *
     * @param list of those that were answered
     * @param dependents where they run
     */
    void complete(RpcFuture<?> list, Where dependents) {
        if (dependents == Where.HERE || isCurrent()) {
            publish(list);
            return;
        }
        RpcFuture<?> left = dependents == Where.HERE_IF_NONE ? publishPlain(list) : list;
        if (left != null) {
            leave(left);
        }
    }

    /** Completes at once what nobody's code depends on; returns the rest. */
    private RpcFuture<?> publishPlain(RpcFuture<?> list) {
        RpcFuture<?> left = null;
        RpcFuture<?> future = list;
        while (future != null) {
            RpcFuture<?> next = future.next;
            if (future.isPlain()) {
                future.publish(client.log(), client.address());
            } else {
                future.next = left;
                left = future;
            }
            future = next;
        }
        return left;
    }

    /** Has callbacks called that are due. Any thread, without the session's lock. */
    void callBack(ClientSession session, Where dependents) {
        if (dependents == Where.HERE || ended || isCurrent() && !Callbacks.isCalling()) {
            session.callbacks().run();
        } else if (!called.getAndSet(true)) {
            turn.wakeup();
        }
    }

    /** Has callbacks called that are due, by this thread, behind what else it has to do. */
    void callBackSoon() {
        called.set(true);
        turn.wakeup();
    }

    private void leave(RpcFuture<?> list) {
        for (RpcFuture<?> future = list; future != null; future = future.next) {
            answered.add(future);
        }
        if (ended) {
            publishWaiting();
        } else if (!called.getAndSet(true)) { // a wake-up costs more than many answers
            turn.wakeup();
        }
    }

    /** Completes what other threads left. Any thread that may run others' code. */
    void publishWaiting() {
        for (RpcFuture<?> future = answered.poll(); future != null; future = answered.poll()) {
            future.publish(client.log(), client.address());
        }
    }

    /** The same where this thread itself waits for what they hold. */
    void publishOwn() {
        if (isCurrent()) {
            publishWaiting();
        }
    }

    private void publish(RpcFuture<?> list) {
        RpcFuture<?> future = list;
        while (future != null) {
            RpcFuture<?> next = future.next;
            future.publish(client.log(), client.address());
            future = next;
        }
    }

    /** Something changed: the session, or the client is closing. */
    public void wake() {
        turn.wakeup();
    }

    /** Ends the thread; the channel may be closed afterwards. */
    public void stop() {
        boolean absent;
        synchronized (this) {
            stopped = true;
            absent = turn.tryOwn(); // then none begins
        }
        if (absent) {
            end();
            return;
        }
        turn.wakeup();
        Thread last = thread; // which may have begun for that
        if (last != null && Thread.currentThread() != last) {
            try {
                join(last);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits for the end of the thread, which is near; who is interrupted once waits all the same. */
    private static void join(Thread last) throws InterruptedException {
        try {
            last.join(END_MS);
        } catch (InterruptedException e) {
            last.join(END_MS);
            throw e;
        }
    }

    @Override
    public void run() {
        deep = false;
        rested = false;
        while (!stopped) {
            try {
                Thread.interrupted(); // one that a dependent of a future left would end every sleep
                boolean asked = called.getAndSet(false);
                publishWaiting();
                if (asked) { // else those who poll call them
                    client.callBack();
                }
                if (look(clock.nanoTime())) {
                    return; // another may have begun
                }
            } catch (RuntimeException | Error e) { // without this thread nothing ends and nothing connects again
                client.log().error("event thread of {}", client.address(), e);
                clock.parkNanos(this, WATCH_NS);
            }
        }
        end();
    }

    private void end() {
        turn.keep(); // whoever closes the channel finds nobody there
        ended = true;
        publishWaiting();
        client.callBack();
    }

    /** Returns true when the thread is to end, as it has left its turn. */
    private boolean look(long nowNs) {
        if (!begun) {
            awaitBegin();
            return false;
        }
        ClientSession session = client.session();
        if (session == null || !session.link().isConnected()) {
            turn.await(client.repair(session, nowNs));
            return false;
        }
        if (session.link().isReady()) {
            session.tryPoll(); // or whoever has the session does
        }
        client.lookAfterDraining();
        session.tick(nowNs);
        long limitNs = Math.min(session.peerChecks().look(nowNs), client.renew(session, nowNs));
        limitNs = Math.min(limitNs, session.link().watch());
        if (session.attendance().polls() != polls) {
            polls = session.attendance().polls();
            pollsChangedNs = nowNs;
        }
        if (session.unattended() == 0) {
            return sleepDeep(session, limitNs);
        }
        rested = false;
        if (nowNs - pollsChangedNs < WATCH_NS && session.unattended() == session.attendance().asyncCalls()) {
            turn.await(WATCH_NS); // its callers poll for themselves
        } else {
            attend(session, nowNs);
        }
        return false;
    }

    private void awaitBegin() {
        deep = true;
        if (!begun) { // else whoever needs this thread finds it asleep, and wakes it
            turn.await(FOREVER_NS);
        }
        deep = false;
    }

    /** Returns true when the thread is to end. */
    private boolean sleepDeep(ClientSession session, long limitNs) {
        deep = true;
        if (session.unattended() == 0 && !called.get()) { // whose wake-up something on this thread may have heard
            if (isLent()) {
                turn.lend(Math.min(limitNs, LEND_NS));
            } else {
                long mostNs = Math.min(limitNs, drainingLimitNs());
                if (rested && mostNs >= FOREVER_NS && turn.leave()) {
                    return true;
                }
                rest(mostNs);
            }
            session.tick(clock.nanoTime());
        }
        deep = false;
        return false;
    }

    /** Sleeps; notes when nothing called for this thread in all of the time after which it may end. */
    private void rest(long mostNs) {
        long startNs = clock.nanoTime();
        turn.await(mayEnd ? Math.min(mostNs, REST_NS) : mostNs);
        rested = mayEnd && clock.nanoTime() - startNs >= REST_NS;
    }

    /** Returns true while callers sleep now and then, whose turn the channel is. */
    private boolean isLent() {
        long nowNs = clock.nanoTime();
        if (turn.leads() != leads) {
            leads = turn.leads();
            attendedNs = nowNs;
        }
        return nowNs - attendedNs < LEND_NS && nowNs - crowdedNs >= CROWDED_NS && !client.isDraining();
    }

    private long drainingLimitNs() {
        if (!client.isDraining()) {
            return FOREVER_NS;
        }
        return client.isDrainUnattended() ? WATCH_NS : 10 * WATCH_NS;
    }

    /** Polls for a moment, then sleeps until the next completion. */
    private void attend(ClientSession session, long startNs) {
        if (turn.isLed()) {
            crowdedNs = startNs;
        }
        turn.keep(); // who leads disarms
        if (session.attendance().asyncCalls() == 0) {
            attendedNs = startNs;
        }
        while (clock.nanoTime() - startNs < SPIN_NS) {
            if (session.tryPoll()) {
                return;
            }
            Thread.onSpinWait();
        }
        session.link().arm();
        if (!session.tryPoll() && session.unattended() > 0) {
            turn.await(WATCH_NS);
        }
        session.link().disarm();
        session.tryPoll();
    }
}
