package org.jvrpc.runtime.stream;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jvrpc.runtime.poll.LifeLooks;
import org.jvrpc.runtime.poll.Roster;
import org.jvrpc.runtime.poll.SessionPoller;
import org.jvrpc.runtime.poll.Walk;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Events;
import org.jvrpc.runtime.thread.Idler;
import org.jvrpc.runtime.thread.Inbox;
import org.jvrpc.runtime.thread.Threads;

/**
 * The thread that polls sessions of streams where nobody does who waits for a stream of its own, tells users what came,
 * and ends what is late.
 */
public final class StreamPoller extends SessionPoller {

    /** The longest sleep. */
    private static final long SLEEP_NS = 500_000_000;
    /** While threads that wait for their own streams poll, this one looks after the others so often. */
    private static final long NAP_NS = 500_000;

    private static final ThreadLocal<Boolean> POLLS = new ThreadLocal<>();

    private final Consumer<StreamSession> buried;
    private final Runnable failed;
    private final LifeLooks lives;
    private final Walk seen = new Walk(Walk.MANY);
    private final Inbox<StreamSession> arrivals = new Inbox<>();
    private final Sessions sessions = new Sessions();
    private boolean anyOver;
    private boolean anyHelped;
    /** This thread, while it naps. */
    private volatile Thread napper;
    private volatile boolean ended;
    private Runnable atEnd = () -> { };

    /** Those that are polled. */
    private final class Sessions extends Roster<StreamSession> {

        Sessions() {
            super(StreamSession[]::new);
        }

        @Override
        protected int poll(StreamSession session, int batch) {
            int work = session.signals().run();
            if (session.helpers().isAttended()) {
                anyHelped = true;
            } else {
                work += session.poll(batch);
                work += session.signals().run();
            }
            anyOver |= session.isOver();
            return work;
        }

        @Override
        protected boolean rests(StreamSession session) {
            return session.rests();
        }

        @Override
        protected void silenced(StreamSession session) {
            session.rest();
        }
    }

    /**
     * @param buried told of each session that is over and not polled any more
     * @param failed called when the thread gives up
     */
    public StreamPoller(Environment environment, Events events, Idler idler, String name, long keepAliveNs,
            Consumer<StreamSession> buried, Runnable failed) {
        super(marking(environment), events, idler, "jvrpc-streams-" + name, SLEEP_NS);
        this.lives = new LifeLooks(keepAliveNs, clock().nanoTime());
        this.buried = buried;
        this.failed = failed;
    }

    /** Has the thread know what it is. */
    private static Environment marking(Environment environment) {
        Threads threads = environment.threads();
        return new Environment(environment.clock(), new Threads() {
            @Override
            public Thread make(Runnable work, String name) {
                return threads.make(() -> {
                    POLLS.set(true);
                    work.run();
                }, name);
            }

            @Override
            public boolean mayBlock() {
                return threads.mayBlock();
            }
        });
    }

    /** Returns true on a thread that polls for all, of whichever session. */
    static boolean isThisThread() {
        return POLLS.get() != null;
    }

    /** Takes a session over. Any thread. */
    public void add(StreamSession session) {
        arrivals.add(session);
        if (ended) { // it was being connected meanwhile, and is nobody's
            buryArrivals();
        }
        events().wakeup();
    }

    private void buryArrivals() {
        for (StreamSession late = arrivals.poll(); late != null; late = arrivals.poll()) {
            buried.accept(late);
        }
    }

    /** Ends what would be polled by a thread that never started, and is not started any more. */
    public void endUnstarted() {
        end();
    }

    /** Returns true when this thread tells users nothing any more. Any thread. */
    boolean hasEnded() {
        return ended;
    }

    /** Sets what this thread does last. Before it starts. */
    public void onEnd(Runnable last) {
        atEnd = last;
    }

    /** There is something to do that no message tells of. Any thread; called after it was noted. */
    void nudge() {
        Thread asleep = napper;
        if (asleep != null) {
            LockSupport.unpark(asleep);
        } else {
            wake();
        }
    }

    @Override
    protected int pollAll() {
        return polled(sessions.pollAll());
    }

    @Override
    protected int pollSome() {
        anyHelped = false;
        int work = polled(sessions.pollSome());
        if (work == 0 && anyHelped) {
            nap();
        }
        return work;
    }

    private void nap() {
        napper = Thread.currentThread();
        boolean unsaid = true;
        for (int i = 0; i < sessions.size(); i++) {
            unsaid &= !sessions.get(i).signals().areThere();
        }
        if (unsaid && !isStopped() && !arrivals.isFilled()) {
            clock().parkNanos(this, NAP_NS); // what comes is for those who help, and would end a wait for it at once
            events().await(0);
        }
        napper = null;
    }

    private int polled(int work) {
        if (anyOver) {
            anyOver = false;
            sessions.retain(session -> !session.isOver() || session.signals().areThere(), this::leave);
        }
        if (!arrivals.isFilled()) {
            return work;
        }
        for (StreamSession session = arrivals.peek(); session != null; session = arrivals.peek()) {
            sessions.add(session); // or it stays with those that arrive, for want of memory
            arrivals.poll();
        }
        return work + 1;
    }

    private void leave(StreamSession session) {
        session.signals().leave(); // its users may ask yet for what has come
        buried.accept(session);
    }

    @Override
    protected void woken(long nowNs) {
        seen.hurry(); // each was armed for the sleep in any case
    }

    @Override
    protected void housekeeping() {
        long nowNs = clock().nanoTime();
        for (int i = lives.begin(nowNs, sessions.size()); i < lives.end(); i++) {
            sessions.get(i).checkPeer(nowNs);
        }
        for (int i = seen.begin(sessions.size()); i < seen.end(); i++) {
            StreamSession session = sessions.get(i);
            session.expire(nowNs);
            anyOver |= session.isOver();
        }
        sessions.age();
    }

    @Override
    protected void arm() {
        for (int i = 0; i < sessions.size(); i++) {
            if (!sessions.get(i).helpers().areThere()) {
                sessions.get(i).arm();
            }
        }
    }

    @Override
    protected void disarm() {
        for (int i = 0; i < sessions.size(); i++) {
            sessions.get(i).disarm();
        }
    }

    @Override
    protected boolean isUnfinished() {
        if (lives.areUnderWay() || !seen.hasMetAllAtOnce()) {
            return true;
        }
        for (int i = 0; i < sessions.size(); i++) {
            StreamSession session = sessions.get(i);
            if (session.helpers().areThere() || session.hasUnsent() || session.table().isTimed()) {
                return true;
            }
        }
        return false;
    }

    @Override
    protected void end() {
        for (StreamSession session = arrivals.poll(); session != null; session = arrivals.poll()) {
            sessions.add(session);
        }
        ended = true; // before the last look: who comes behind it sees this
        for (int i = 0; i < sessions.size(); i++) {
            StreamSession session = sessions.get(i);
            session.end(StreamSession.closed());
            session.signals().runAll();
            buried.accept(session);
        }
        buryArrivals();
        atEnd.run();
    }

    @Override
    protected void failed() {
        failed.run();
    }
}
