package org.jvrpc.runtime.poll;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * The sessions of a poller. Those that had something to do lately are polled in each round; of the silent ones each
 * round takes a few in turn, so that a thousand of them cost a caller little. The poller's thread.
 *
 * @param <S> a session
 */
public abstract class Roster<S> {

    /**
     * One round of so many, a power of two, looks at so many silent sessions. They lie in no near cache, so that one
     * takes some 90 ns: more would be felt by each call beside them, fewer by the first call of one of a thousand.
     */
    static final int ROUNDS_A_TURN = 16;
    static final int TURN = 2;
    /** The longer a round takes, the more of them it looks at: one for so many messages, and so many lively ones. */
    static final int MESSAGES_A_TURN = 2;
    static final int LIVELY_A_TURN = 8;
    /** Who found nothing to do between so many calls of {@link #age} is silent. */
    static final int AGE_OF_SILENCE = 2;

    private final IntFunction<S[]> maker;
    /** The lively ones first. */
    private S[] sessions;
    /** Of each lively session: how often {@link #age} was called since it had something to do. */
    private int[] ages;
    private int lively;
    /** Which silent session is next. */
    private int turn;
    private int rounds;

    /** @param maker makes an array */
    protected Roster(IntFunction<S[]> maker) {
        this.maker = maker;
        this.sessions = maker.apply(0);
        this.ages = new int[0];
    }

    /** Polls a session; returns how much there was to do. Never throws. */
    protected abstract int poll(S session, int batch);

    /** Returns true when nothing but a message gives a session something to do. */
    protected abstract boolean rests(S session);

    /** A session is silent from now on. Never throws. */
    protected void silenced(S session) {
        // of interest to those that have something then that others need
    }

    public final int size() {
        return sessions.length;
    }

    /** Returns a session, from 0 to the size; in no order, and in another one after each round. */
    public final S get(int index) {
        return sessions[index];
    }

    /** Returns how many are polled in each round. */
    final int lively() {
        return lively;
    }

    /** Adds a session, a lively one. Not within a round. */
    public final void add(S session) {
        int last = sessions.length;
        S[] more = Arrays.copyOf(sessions, last + 1);
        ages = Arrays.copyOf(ages, last + 1);
        sessions = more;
        sessions[last] = session;
        wake(last);
    }

    /** Lets go of those that do not stay. Not within a round. */
    public final void retain(Predicate<S> stays, Consumer<S> gone) {
        S[] old = sessions;
        S[] rest = maker.apply(old.length);
        int[] restAges = new int[old.length];
        int count = 0;
        int restLively = 0;
        int restTurn = 0;
        for (int i = 0; i < old.length; i++) {
            if (stays.test(old[i])) {
                restLively += i < lively ? 1 : 0;
                restTurn += i < turn ? 1 : 0;
                restAges[count] = ages[i];
                rest[count++] = old[i];
            }
        }
        rest = Arrays.copyOf(rest, count);
        ages = restAges;
        sessions = rest;
        lively = restLively;
        turn = restTurn;
        for (S session : old) {
            if (!stays.test(session)) {
                gone.accept(session);
            }
        }
    }

    /** Polls all. */
    public final int pollAll() {
        int work = pollLively();
        int batch = SessionPoller.batch(lively + 1);
        for (int i = lively; i < sessions.length; i++) {
            int done = poll(sessions[i], batch);
            if (done != 0) {
                work += done;
                wake(i); // who comes here in its place was polled
            }
        }
        return work;
    }

    /** Polls the lively ones and some of the others. */
    public final int pollSome() {
        int work = pollLively();
        int silent = sessions.length - lively;
        if (silent == 0) {
            return work;
        }
        int turns = (++rounds & ROUNDS_A_TURN - 1) == 0 ? TURN : 0;
        int most = lively == 0 ? silent : turns + work / MESSAGES_A_TURN + lively / LIVELY_A_TURN;
        return work + pollSilent(Math.min(most, silent));
    }

    private int pollLively() {
        int batch = SessionPoller.batch(lively);
        int work = 0;
        for (int i = 0; i < lively; i++) {
            int done = poll(sessions[i], batch);
            if (done != 0) {
                ages[i] = 0;
                work += done;
            }
        }
        return work;
    }

    private int pollSilent(int count) {
        int batch = SessionPoller.batch(lively + 1);
        int work = 0;
        for (int i = 0; i < count; i++) {
            if (turn < lively || turn >= sessions.length) {
                turn = lively;
            }
            int done = poll(sessions[turn], batch);
            if (done != 0) {
                work += done;
                wake(turn); // who comes here in its place is next
            } else {
                turn++;
            }
        }
        return work;
    }

    /** A session is lively from now on. */
    private void wake(int index) {
        swap(index, lively);
        ages[lively++] = 0;
    }

    private void swap(int one, int other) {
        S session = sessions[one];
        sessions[one] = sessions[other];
        sessions[other] = session;
        int age = ages[one];
        ages[one] = ages[other];
        ages[other] = age;
    }

    /** A while has passed: who had nothing to do for some of them, and rests, is silent. Not within a round. */
    public final void age() {
        for (int i = lively - 1; i >= 0; i--) {
            if (ages[i] < AGE_OF_SILENCE) {
                ages[i]++;
            } else if (rests(sessions[i])) {
                swap(i, --lively);
                silenced(sessions[lively]);
            }
        }
    }
}
