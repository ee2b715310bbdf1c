package org.jvrpc.testing.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.jvrpc.testing.history.Linearizability.Outcome;
import org.jvrpc.testing.history.Linearizability.Verdict;

/** The search against one that tries every order. */
class SearchPropertyTest {

    private static final int HISTORIES = 6_000;

    /** Some order of all that ended, and any of what is pending, obeys time and the model. */
    private static <S> boolean hasOrder(Model<S> model, S state, List<Operation> rest) {
        if (rest.stream().allMatch(Operation::isPending)) {
            return true;
        }
        for (Operation next : rest) {
            boolean mayBeNext = rest.stream().allMatch(other -> other == next || other.endNs() >= next.startNs());
            S after = mayBeNext ? model.apply(state, next) : null;
            if (after != null) {
                List<Operation> others = new ArrayList<>(rest);
                others.remove(next);
                if (hasOrder(model, after, others)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Calls that a register answers at some instant of each; then an answer may be changed, or an end forgotten. */
    private static List<Operation> random(SplittableRandom random) {
        int count = 1 + random.nextInt(7);
        long[] at = new long[count];
        Object[] answers = new Object[count];
        Register.Call[] calls = new Register.Call[count];
        Object state = Register.ABSENT;
        for (int i = 0; i < count; i++) {
            at[i] = 10L * i;
            calls[i] = call(random, i);
            for (Object answer : new Object[] {Register.DONE, Register.REFUSED, Register.ABSENT, state}) {
                Operation tried = new Operation("p", "k", calls[i], answer, at[i], at[i]);
                Object next = Register.empty().apply(state, tried);
                if (next != null) {
                    answers[i] = answer;
                    state = next;
                    break;
                }
            }
        }
        List<Operation> history = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Object answer = random.nextInt(8) == 0 ? answers[random.nextInt(count)] : answers[i];
            boolean ends = random.nextInt(6) != 0;
            history.add(new Operation("p" + i, "k", calls[i], ends ? answer : null, at[i] - random.nextInt(25),
                    ends ? at[i] + random.nextInt(25) : Operation.NEVER));
        }
        return history;
    }

    private static Register.Call call(SplittableRandom random, int i) {
        return switch (random.nextInt(7)) {
            case 0, 1 -> new Register.Set(i);
            case 2 -> new Register.Swap(random.nextInt(1 + i), i);
            case 3 -> random.nextBoolean() ? new Register.Add(i) : new Register.Delete();
            default -> new Register.Get();
        };
    }

    @Test
    void itJudgesAsOneThatTriesEveryOrder() {
        long seed = Long.getLong("jvrpc.seed", System.nanoTime());
        System.out.println("seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        Map<Outcome, Integer> reached = new HashMap<>();
        for (int i = 0; i < HISTORIES; i++) {
            List<Operation> history = random(random);
            Register model = random.nextInt(4) == 0 ? Register.forgetful() : Register.empty();
            Verdict verdict = Linearizability.judge(model, history, Linearizability.MOST);
            boolean expected = hasOrder(model, model.initial(), history);
            assertEquals(expected ? Outcome.LINEARIZABLE : Outcome.VIOLATION, verdict.outcome(),
                    () -> "seed " + seed + " " + history);
            assertEquals(expected, verdict.explanation().isEmpty());
            reached.merge(verdict.outcome(), 1, Integer::sum);
        }
        System.out.println(reached);
        assertTrue(reached.get(Outcome.LINEARIZABLE) > HISTORIES / 10, reached::toString);
        assertTrue(reached.get(Outcome.VIOLATION) > HISTORIES / 10, reached::toString);
    }
}
