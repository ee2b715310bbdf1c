package org.jvrpc.runtime.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.testing.interleaving.Interleavings;
import org.jvrpc.testing.interleaving.SteppedClasses;

/**
 * Two threads at message sessions, in their orders with three preemptions at most: one at each end, whose steps are
 * those of the link between them, or both at one end, whose steps are what they do under its monitor, and the fields
 * that they read and write without it. A thread that polls sleeps when there is nothing to do, until it is woken.
 */
class FrameOrdersTest {

    private static final int PREEMPTIONS = 3;
    private static final int WINDOW = FrameSide.WINDOW;
    private static SteppedClasses stepped;
    /** The session whose monitor and fields are met by two threads, or null where the link is. */
    private static FrameSession shared;
    private static boolean wired;

    @BeforeAll
    static void compile(@TempDir Path folder) throws IOException {
        String own = "FrameOrdersTest.own(this)";
        stepped = new SteppedClasses(FrameOrdersTest.class, Path.of(System.getProperty("jvrpc.root"),
                "rpc-transport/runtime/src/main/java"), folder).with("FrameSession",
                        "synchronized \\(this\\)", "synchronized (" + own + ")",
                        "&& hasLeft\\(", "&& " + own + ".hasLeft(",
                        "(?<!boolean |over \\|\\| )\\bclosing\\b", own + ".closing",
                        "(?<!boolean )\\bpaused\\b", own + ".paused",
                        "(?<!long )\\bclosingNs = ", own + ".closingNs = ",
                        "\\binterest\\.run\\(\\)", own + ".interest.run()");
    }

    /** An access to a session by one of its threads. */
    static FrameSession own(FrameSession session) {
        return session == shared ? Interleavings.step(session) : session;
    }

    /** An access to what lies between two sessions. */
    static QueueLink wire(QueueLink link) {
        return wired ? Interleavings.step(link) : link;
    }

    private static void all(Class<? extends Interleavings.Race> race, int least)
            throws ReflectiveOperationException, InterruptedException {
        int orders = stepped.all(race, PREEMPTIONS);
        assertTrue(orders >= least, "orders=" + orders);
    }

    /** Two ends. */
    abstract static class Ends implements Interleavings.Race {

        final FrameSide left = new FrameSide();
        final FrameSide right = new FrameSide();

        /** @param atLink true when each end has one thread, false when both threads are at the left end */
        Ends(boolean atLink) {
            left.link.connect(right.link);
            shared = null;
            wired = false;
            prepare();
            shared = atLink ? null : left.session;
            wired = atLink;
        }

        void prepare() {
        }

        /** The right end, polled by the same thread as the left. */
        void pollBoth(BooleanSupplier enough) {
            for (boolean ends = false; !ends;) {
                left.link.woken = false;
                right.link.woken = false;
                int work = left.session.isOver() ? 0 : left.session.poll(2 * WINDOW);
                work += right.session.isOver() ? 0 : right.session.poll(2 * WINDOW);
                if (right.session.isOver()) {
                    right.session.bury();
                }
                ends = work == 0 && enough.getAsBoolean();
                if (work == 0 && !ends) {
                    Interleavings.await(() -> left.link.woken || right.link.woken);
                }
            }
        }

        boolean areOver() {
            return left.session.isOver() && right.session.isOver();
        }

        /** No credit is lost: a window of pieces leaves at once, both ways. */
        void haveAllCredits() {
            quiet();
            assertEquals(0, left.session.queuedBytes() + right.session.queuedBytes());
            for (int i = 0; i < WINDOW; i++) {
                assertTrue(left.sends(2) && right.sends(2));
            }
            assertEquals(0, left.session.queuedBytes() + right.session.queuedBytes(), "credits are lost");
            quiet();
            left.session.close();
            right.session.close();
            quiet();
            left.endedWell();
            right.endedWell();
        }

        private void quiet() {
            for (int i = 0; i < 20; i++) {
                left.session.poll(2 * WINDOW);
                right.session.poll(2 * WINDOW);
            }
        }
    }

    /** One end sends more than the other has room for. */
    static final class Flow extends Ends {

        Flow() {
            super(true);
        }

        @Override
        public void first() {
            left.sends(1, 4);
            left.polls(() -> left.session.queuedBytes() == 0);
        }

        @Override
        public void second() {
            right.polls(() -> right.has(4));
        }

        @Override
        public void end() {
            assertEquals(List.of(1, 2, 3, 4), right.frames);
            assertTrue(left.drained > 0);
            haveAllCredits();
        }
    }

    @Test
    void framesBeyondTheWindowArriveInTheirOrder() throws Exception {
        all(Flow.class, 2000);
    }

    /** Both ends send. */
    static final class BothWays extends Ends {

        BothWays() {
            super(true);
        }

        @Override
        public void first() {
            left.sends(1, 2);
            left.polls(() -> left.has(2) && left.session.queuedBytes() == 0);
        }

        @Override
        public void second() {
            right.sends(1, 2);
            right.polls(() -> right.has(2) && right.session.queuedBytes() == 0);
        }

        @Override
        public void end() {
            assertEquals(List.of(1, 2), left.frames);
            assertEquals(List.of(1, 2), right.frames);
            haveAllCredits();
        }
    }

    @Test
    void framesCrossAndNoCreditIsLost() throws Exception {
        all(BothWays.class, 2000);
    }

    /** One end sends and closes. */
    static final class Close extends Ends {

        Close() {
            super(true);
        }

        @Override
        public void first() {
            left.sends(1, 3);
            left.session.close();
            left.polls(() -> false);
        }

        @Override
        public void second() {
            right.polls(() -> false);
        }

        @Override
        public void end() {
            assertEquals(List.of(1, 2, 3), right.frames);
            left.endedWell();
            right.endedWell();
        }
    }

    @Test
    void framesArriveBeforeTheEnd() throws Exception {
        all(Close.class, 2000);
    }

    /** One end goes without a word when it has sent. */
    static final class Dies extends Ends {

        Dies() {
            super(true);
        }

        @Override
        public void first() {
            left.polls(() -> false);
        }

        @Override
        public void second() {
            right.sends(2, 2);
            right.session.bury();
        }

        @Override
        public void end() {
            assertEquals(List.of(2), left.frames, "what lay there when the peer went");
            assertEquals(1, left.ends);
        }
    }

    @Test
    void whatLiesThereWhenThePeerGoesIsHandedOut() throws Exception {
        all(Dies.class, 40);
    }

    /** One thread sends while another polls. */
    static final class SendAndPoll extends Ends {

        SendAndPoll() {
            super(false);
        }

        @Override
        void prepare() {
            left.sends(2, 2);
        }

        @Override
        public void first() {
            left.sends(3, 5);
        }

        @Override
        public void second() {
            pollBoth(() -> right.has(4));
        }

        @Override
        public void end() {
            assertEquals(List.of(2, 3, 4, 5), right.frames);
            haveAllCredits();
        }
    }

    @Test
    void whatIsQueuedLeavesBeforeWhatIsSentLater() throws Exception {
        all(SendAndPoll.class, 1000);
    }

    /** Two threads send. */
    static final class TwoSenders extends Ends {

        TwoSenders() {
            super(false);
        }

        @Override
        public void first() {
            left.sends(1, 2);
        }

        @Override
        public void second() {
            left.sends(3, 4);
        }

        @Override
        public void end() {
            haveAllCredits();
            List<Integer> frames = right.frames.subList(0, 4);
            assertTrue(frames.containsAll(List.of(1, 2, 3, 4)) && frames.indexOf(1) < frames.indexOf(2)
                    && frames.indexOf(3) < frames.indexOf(4), frames::toString);
        }
    }

    @Test
    void framesOfTwoSendersArriveWhole() throws Exception {
        all(TwoSenders.class, 15);
    }

    /** One thread pauses and resumes the delivery while another polls. */
    static final class Pause extends Ends {

        Pause() {
            super(false);
        }

        @Override
        void prepare() {
            right.sends(2, 5);
        }

        @Override
        public void first() {
            left.session.pause();
            left.session.resume();
        }

        @Override
        public void second() {
            pollBoth(() -> left.has(4));
        }

        @Override
        public void end() {
            assertEquals(List.of(2, 3, 4, 5), left.frames);
            haveAllCredits();
        }
    }

    @Test
    void whatIsHeldIsHandedOutWhenDeliveryGoesOn() throws Exception {
        all(Pause.class, 2000);
    }

    /** One thread sends while another closes the session and polls. */
    static final class SendAndClose extends Ends {

        private final List<Integer> sent = new ArrayList<>();

        SendAndClose() {
            super(false);
        }

        @Override
        public void first() {
            for (int number = 1; number <= 3; number++) {
                if (left.sends(number)) {
                    sent.add(number);
                }
            }
        }

        @Override
        public void second() {
            left.session.close();
            pollBoth(this::areOver);
        }

        @Override
        public void end() {
            assertEquals(sent, right.frames, "what was sent and what arrived");
            left.endedWell();
            right.endedWell();
        }
    }

    @Test
    void whatIsSentArrivesBeforeTheEndOrIsRefused() throws Exception {
        all(SendAndClose.class, 400);
    }

    /** One thread closes the session, which has frames queued, while another polls. */
    static final class CloseAndPoll extends Ends {

        CloseAndPoll() {
            super(false);
        }

        @Override
        void prepare() {
            left.sends(1, 3);
        }

        @Override
        public void first() {
            left.session.close();
        }

        @Override
        public void second() {
            pollBoth(this::areOver);
        }

        @Override
        public void end() {
            assertEquals(List.of(1, 2, 3), right.frames);
            left.endedWell();
            right.endedWell();
        }
    }

    @Test
    void aCloseIsSeenAndFramesThatAreQueuedArriveBeforeIt() throws Exception {
        all(CloseAndPoll.class, 2000);
    }
}
