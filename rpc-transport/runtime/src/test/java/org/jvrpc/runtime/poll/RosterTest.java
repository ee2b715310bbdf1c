package org.jvrpc.runtime.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Which sessions a round polls. */
class RosterTest {

    private static final class Member {
        private int work;
        private boolean rests = true;
        private int polls;
        private int waited;
    }

    private static final class Members extends Roster<Member> {

        private final List<Integer> batches = new ArrayList<>();

        Members() {
            super(Member[]::new);
        }

        @Override
        protected int poll(Member session, int batch) {
            batches.add(batch);
            session.polls++;
            session.waited = -1;
            int work = session.work;
            session.work = 0;
            return work;
        }

        @Override
        protected boolean rests(Member session) {
            return session.rests;
        }
    }

    private final Members roster = new Members();
    private final List<Member> all = new ArrayList<>();

    private Member add() {
        Member member = new Member();
        roster.add(member);
        all.add(member);
        return member;
    }

    private List<Member> add(int count) {
        for (int i = 0; i < count; i++) {
            add();
        }
        return all;
    }

    /** All are silent from here on that have nothing to do. */
    private void silence() {
        for (int i = 0; i <= Roster.AGE_OF_SILENCE; i++) {
            roster.age();
        }
    }

    private List<Integer> polls() {
        return all.stream().map(member -> member.polls).toList();
    }

    private void forget() {
        all.forEach(member -> member.polls = 0);
    }

    @Test
    void whoComesIsLively() {
        add(3);
        assertEquals(3, roster.lively());
        assertEquals(0, roster.pollSome());
        assertEquals(List.of(1, 1, 1), polls());
    }

    @Test
    void whoHasNothingToDoForTwoTimesIsSilentAtTheThird() {
        Member busy = add();
        add(2);
        for (int i = 0; i < Roster.AGE_OF_SILENCE; i++) {
            roster.age();
        }
        assertEquals(3, roster.lively());
        busy.work = 1;
        roster.pollSome();
        roster.age();
        assertEquals(1, roster.lively());
        for (int i = 1; i < Roster.AGE_OF_SILENCE; i++) {
            roster.age();
        }
        assertEquals(1, roster.lively());
        roster.age();
        assertEquals(0, roster.lively());
    }

    @Test
    void whoDoesNotRestIsLively() {
        Member open = add();
        open.rests = false;
        add();
        silence();
        assertEquals(1, roster.lively());
        open.rests = true;
        roster.age();
        assertEquals(0, roster.lively());
    }

    @Test
    void whereAllAreSilentEachRoundPollsThemAll() {
        add(5);
        silence();
        forget();
        roster.pollSome();
        roster.pollSome();
        assertEquals(List.of(2, 2, 2, 2, 2), polls());
    }

    @Test
    void besideALivelyOneEachSixteenthRoundPollsTwoOfTheSilent() {
        add(6);
        silence();
        Member lively = add();
        forget();
        for (int i = 1; i < 3 * 16; i++) {
            roster.pollSome();
        }
        assertEquals(List.of(0, 0, 1, 1, 1, 1, 47), polls().stream().sorted().toList());
        roster.pollSome();
        assertEquals(List.of(1, 1, 1, 1, 1, 1, 48), polls());
        assertEquals(48, lively.polls);
    }

    @Test
    void theMoreThereIsToDoTheMoreOfTheSilentArePolled() {
        add(100);
        silence();
        Member lively = add();
        forget();
        lively.work = 5;
        assertEquals(5, roster.pollSome());
        assertEquals(2, polls().stream().limit(100).mapToInt(Integer::intValue).sum());
        for (int i = 0; i < 15; i++) {
            add();
        }
        forget();
        roster.pollSome();
        assertEquals(16 / 8, polls().stream().limit(100).mapToInt(Integer::intValue).sum());
    }

    @Test
    void whoHasSomethingToDoIsLivelyFromThenOn() {
        add(20);
        silence();
        add();
        all.get(13).work = 3;
        int rounds = 0;
        while (roster.pollSome() == 0) {
            rounds++;
        }
        assertTrue(rounds <= 20 * Roster.ROUNDS_A_TURN / Roster.TURN, "it came after more rounds than all others take");
        assertEquals(2, roster.lively());
        forget();
        roster.pollSome();
        assertEquals(1, all.get(13).polls);
        assertEquals(1, all.get(20).polls);
    }

    @Test
    void allArePolledOnceWhoeverOfThemHasSomethingToDo() {
        add(50);
        silence();
        add(3);
        forget();
        for (int i = 0; i < 53; i += 3) {
            all.get(i).work = 1;
        }
        assertEquals(18, roster.pollAll());
        assertTrue(all.stream().allMatch(member -> member.polls == 1), polls()::toString);
        assertEquals(3 + 17, roster.lively());
    }

    @Test
    void aTurnIsShorterTheMoreAreLively() {
        add(1);
        roster.pollSome();
        add(8);
        roster.batches.clear();
        roster.pollSome();
        assertEquals(List.of(SessionPoller.batch(9)), roster.batches.stream().distinct().toList());
        silence();
        roster.batches.clear();
        roster.pollSome();
        assertEquals(List.of(SessionPoller.batch(1)), roster.batches.stream().distinct().toList(),
                "the silent ones have nothing to take");
    }

    @Test
    void thoseThatDoNotStayAreGoneAndTheOthersAreWhatTheyWere() {
        add(6);
        silence();
        Member lively = add();
        Member leaves = add();
        List<Member> gone = new ArrayList<>();
        Member silent = all.get(2);
        roster.retain(member -> member != leaves && member != silent, gone::add);
        assertEquals(2, gone.size());
        assertTrue(gone.contains(leaves) && gone.contains(silent));
        assertEquals(6, roster.size());
        assertEquals(1, roster.lively());
        forget();
        roster.pollSome();
        assertEquals(1, lively.polls);
        assertEquals(0, leaves.polls);
        roster.pollAll();
        assertEquals(0, silent.polls);
        roster.retain(member -> false, gone::add);
        assertEquals(0, roster.size());
        assertEquals(0, roster.pollSome());
        assertEquals(0, roster.pollAll());
    }

    /** Whatever wakes, rests, comes and goes: none waits longer than all the silent ones take in their turns. */
    @Test
    void noneIsForgotten() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        add(1);
        for (int round = 0; round < 20_000; round++) {
            int what = random.nextInt(100);
            if (what < 3 && all.size() < 60) {
                add();
            } else if (what == 3 && all.size() > 1) {
                Member leaves = all.remove(random.nextInt(all.size()));
                roster.retain(member -> member != leaves, member -> { });
            } else if (what < 10) {
                roster.age();
            } else if (what < 40) {
                all.get(random.nextInt(all.size())).work = 1 + random.nextInt(3);
            }
            int before = all.stream().mapToInt(member -> member.work).sum();
            int done = what == 99 ? roster.pollAll() : roster.pollSome();
            int left = all.stream().mapToInt(member -> member.work).sum();
            assertEquals(before - left, done, "seed=" + seed);
            for (Member member : all) {
                assertTrue(++member.waited <= 2 * 60 * Roster.ROUNDS_A_TURN / Roster.TURN,
                        "waits too long: rounds=" + member.waited + " seed=" + seed);
            }
        }
    }
}
