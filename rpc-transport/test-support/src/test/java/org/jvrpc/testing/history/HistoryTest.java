package org.jvrpc.testing.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.Parent;

class HistoryTest {

    /** Ends two operations, and idles in a third. */
    static final class Child {

        private Child() {
        }

        public static void main(String[] arguments) throws InterruptedException {
            Consumer<Object> set = History.tell("child", "k", new Register.Set(7));
            set.accept(Register.DONE);
            History.tell("child", "k", new Register.Get()).accept(7L);
            History.tell("child", "k", new Register.Swap(7, 8));
            Parent.say("OTHER");
            Parent.idle();
        }
    }

    @Test
    void itHasAnswersAndTimesAndWhatFailedIsPending() {
        History history = new History();
        long beforeNs = System.nanoTime();
        assertEquals("answer", history.record("me", "k", "call", () -> "answer"));
        assertThrows(IllegalStateException.class, () -> history.record("me", "k", "fails", () -> {
            throw new IllegalStateException();
        }));
        List<Operation> all = history.operations();
        assertEquals(2, all.size());
        assertEquals("answer", all.get(0).answer());
        assertTrue(all.get(0).startNs() >= beforeNs && all.get(0).endNs() <= all.get(1).startNs(), all::toString);
        assertTrue(all.get(1).isPending());
    }

    @Test
    void whatAKilledChildToldIsThereAndWhatItWasAtIsPending() {
        History history = new History();
        long beforeNs = System.nanoTime();
        try (ChildJvm child = JavaCommand.of(Child.class).start()) {
            child.expect("OTHER");
            child.kill();
            child.exitStatus();
            assertEquals(3, history.add(child.output(), Register.Call::parse, Register::answer));
        }
        List<Operation> all = history.operations().stream().sorted((a, b) -> Long.compare(a.startNs(), b.startNs()))
                .toList();
        assertEquals(List.of(new Register.Set(7), new Register.Get(), new Register.Swap(7, 8)),
                all.stream().map(Operation::call).toList());
        assertTrue(all.get(2).isPending());
        assertTrue(all.get(0).startNs() >= beforeNs && all.get(2).startNs() <= System.nanoTime(), "one clock");
        Linearizability.check(Register.empty(), all, "none");
    }

    @Test
    void callsAndAnswersAreReadAsTheyAreWritten() {
        for (Register.Call call : List.of(new Register.Get(), new Register.Set(-1), new Register.Add(2),
                new Register.Swap(3, 4), new Register.Delete())) {
            assertEquals(call, Register.Call.parse(call.toString()));
        }
        for (Object answer : List.of(5L, -5L, Register.DONE, Register.REFUSED, Register.ABSENT)) {
            assertEquals(answer, Register.answer(answer.toString()));
        }
    }
}
