package org.jvrpc.runtime.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.testing.interleaving.Interleavings;
import org.jvrpc.testing.interleaving.SteppedClasses;

/** An inbox between who adds and who takes, in every order of their accesses to it. */
class InboxOrdersTest {

    private static SteppedClasses stepped;

    @BeforeAll
    static void compile(@TempDir Path folder) throws IOException {
        Path sources = Path.of(System.getProperty("jvrpc.root"), "rpc-transport/runtime/src/main/java");
        String inbox = Files.readString(sources.resolve("org/jvrpc/runtime/thread/Inbox.java"));
        assertFalse(inbox.contains("|="), "a load and a store of which no step lies between: the last word is lost");
        stepped = new SteppedClasses(InboxOrdersTest.class, sources, folder).with("Inbox",
                "\\bqueue\\.", "STEP(queue).",
                "filled = ", "STEP(this).filled = ",
                "return filled", "return STEP(this).filled",
                "&& filled", "&& STEP(this).filled");
    }

    /** Whoever takes asks first, and takes only then; the first does what {@link #look} says. */
    abstract static class Adds implements Interleavings.Race {

        private final Inbox<Integer> inbox = new Inbox<>();
        private final List<Integer> taken = new ArrayList<>();

        Adds() {
            inbox.add(1);
        }

        abstract Integer look(Inbox<Integer> box);

        private void take() {
            if (inbox.isFilled()) {
                Integer oldest = look(inbox);
                if (oldest != null) {
                    taken.add(oldest);
                }
            }
        }

        @Override
        public void first() {
            take();
            take();
            take();
        }

        @Override
        public void second() {
            inbox.add(2);
            inbox.add(3);
        }

        @Override
        public void end() {
            for (int i = 0; i < 4; i++) {
                take();
            }
            assertEquals(List.of(1, 2, 3), taken, "what whoever asks first took");
            assertFalse(inbox.isFilled());
        }
    }

    /** By {@link Inbox#poll}. */
    static final class PollWhileAdding extends Adds {

        @Override
        Integer look(Inbox<Integer> box) {
            return box.poll();
        }
    }

    /** By {@link Inbox#peek}, and by {@link Inbox#poll} where that found something. */
    static final class PeekWhileAdding extends Adds {

        @Override
        Integer look(Inbox<Integer> box) {
            return box.peek() == null ? null : box.poll();
        }
    }

    @Test
    void nothingIsMissedByWhoAsksFirst() throws Exception {
        assertTrue(stepped.all(PollWhileAdding.class) > 100);
        assertTrue(stepped.all(PeekWhileAdding.class) > 100);
    }
}
