package org.jvrpc.router.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.jvrpc.softrnic.router.wire.Command;
import org.jvrpc.softrnic.router.wire.ControlFrame;
import org.jvrpc.testing.Waits;

/** Tenants that say something without end. */
class CommandRateTest extends Switchboard {

    /** Of a window of 100 ms, as 10,000 a second are usual. */
    private static final int IN_WINDOW = 1_000;
    private static final int FLOOD = 1_100; // what is not read fits into the socket
    private static final long WINDOW_NS = 100_000_000;

    private static ControlFrame refusable(int id) {
        return ControlFrame.of(Command.ERROR, id, 99);
    }

    /** Says so many commands, and returns how many answers came meanwhile: whoever does not read is left. */
    private static int flood(Talk talk, int count) {
        int[] heard = new int[1];
        for (int i = 0; i < count; i++) {
            ControlFrame frame = refusable(i + 1);
            Waits.until("room in the socket", () -> {
                heard[0] += talk.look() == null ? 0 : 1;
                return talk.tryToSay(frame);
            });
        }
        return heard[0];
    }

    private static void hear(Talk talk, int count) {
        for (int i = 0; i < count; i++) {
            assertEquals(Command.REFUSED, talk.hear().command());
        }
    }

    /** The clock stands still: whoever has used up its window gets no more, and others go on. */
    @Test
    void aTenantHasItsRateOfCommandsAndOthersTheirs() throws IOException {
        Talk one = attached(ONE);
        Talk two = attached(TWO);
        nowNs.addAndGet(WINDOW_NS); // coming in was commands, too
        hear(one, IN_WINDOW - flood(one, FLOOD));
        for (int i = 0; i < 50; i++) {
            two.done(qp(5));
            two.done(destroy(5));
        }
        assertNull(one.look(), "more than its rate");
        nowNs.addAndGet(WINDOW_NS);
        hear(one, FLOOD - IN_WINDOW);
        assertNull(one.look());
    }

    @Test
    void theDevicesOfATenantShareItsRate() throws IOException {
        Talk first = attached(ONE);
        Talk second = attached(ONE);
        nowNs.addAndGet(WINDOW_NS);
        hear(first, IN_WINDOW - flood(first, IN_WINDOW));
        hear(second, 1 - flood(second, 10)); // its command is done, and it is left unread for that
        attached(TWO).done(qp(5));
        assertNull(second.look());
        nowNs.addAndGet(WINDOW_NS);
        hear(second, 9);
    }

    /** Doorbells are no commands and have no rate, only turns. */
    @Test
    void aTenantThatRingsWithoutEndHoldsUpNobodysCommands() throws Exception {
        Talk one = attached(ONE);
        Talk two = attached(TWO);
        one.done(qp(5));
        AtomicBoolean ends = new AtomicBoolean();
        Thread rings = new Thread(() -> {
            while (!ends.get()) {
                one.tryToSay(ControlFrame.of(Command.RING, 1, 5));
            }
        });
        rings.start();
        try {
            Waits.until("a flood", () -> asked.size() > 1_000);
            for (int i = 0; i < 20; i++) {
                two.done(qp(6));
                two.done(destroy(6));
            }
        } finally {
            ends.set(true);
            rings.join();
        }
        assertEquals(2, counts().devices());
    }
}
