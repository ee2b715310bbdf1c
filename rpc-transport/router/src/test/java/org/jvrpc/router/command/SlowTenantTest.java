package org.jvrpc.router.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.router.wire.Command;
import org.jvrpc.softrnic.router.wire.ControlFrame;
import org.jvrpc.softrnic.router.wire.SlabNote;
import org.jvrpc.testing.Waits;

/** Tenants whose files are slow, or who say too much: who waits for them. */
class SlowTenantTest extends Switchboard {

    private static final int MOST_IN_WINDOW = 1_000;
    private static final long WINDOW_NS = 100_000_000;
    private static final long SECOND_NS = 1_000_000_000;

    private static ControlFrame slab(int id) {
        return new SlabNote(1, 4096, "d-1-a", 1).frame(id);
    }

    @Test
    void aFileThatOpensSlowlyDelaysItsDeviceAndNobodyElse() throws IOException {
        CompletableFuture<Slab> opened = new CompletableFuture<>();
        opening = note -> opened;
        Talk one = attached(ONE);
        one.say(slab(2));
        one.say(qp(5));
        Talk two = attached(TWO);
        two.done(qp(6));
        assertTrue(asked.contains("one open"), asked.toString());
        assertNull(one.look());
        opened.complete(null);
        assertEquals(List.of(2, 5), List.of(one.hear().id(), one.hear().id()));
    }

    @Test
    void aFileThatIsNotOpenedIsRefusedAndTheDeviceGoesOn() throws IOException {
        opening = note -> CompletableFuture.failedFuture(new RefusedException(Refusal.BUSY, "a lease"));
        Talk one = attached(ONE);
        one.refused(Refusal.BUSY, slab(2));
        one.done(qp(5));
    }

    @Test
    void aDeviceThatEndsWhileItsFileOpensEndsAtOnce() throws IOException {
        CompletableFuture<Slab> opened = new CompletableFuture<>();
        opening = note -> opened;
        Talk one = attached(ONE);
        one.say(slab(2));
        Waits.until("the file to be asked for", () -> asked.contains("one open"));
        sessions.expel(ONE, "why");
        one.isLeft();
        assertTrue(asked.contains("one leave"), asked.toString());
        opened.complete(null);
        assertEquals(0, counts().devices());
        assertTrue(asked.stream().noneMatch(what -> what.startsWith("one add")), asked.toString());
    }

    @Test
    void whoIsLetInAfterItHasLeftLeavesAtOnce() throws IOException {
        CompletableFuture<Membership> admitted = new CompletableFuture<>();
        Membership[] late = new Membership[1];
        admitting = let -> {
            late[0] = let;
            return admitted;
        };
        Talk one = new Talk(ONE);
        one.say(Switchboard.hello());
        Waits.until("it to be asked for", () -> late[0] != null);
        sessions.expel(ONE, "why");
        one.isLeft();
        admitted.complete(late[0]);
        Waits.until("it to leave", () -> asked.contains("one leave"));
        assertEquals(0, counts().devices());
    }

    @Test
    void moreCommandsThanATenantMaySayAreReadLater() throws IOException {
        Talk one = attached(ONE);
        Talk two = attached(TWO);
        one.done(qp(5));
        int said = MOST_IN_WINDOW + 50;
        int[] heard = new int[1];
        for (int i = 0; i < said; i++) {
            ControlFrame ready = ControlFrame.of(Command.READY, i + 10, 5);
            Waits.until("room to say it", () -> {
                heard[0] += one.look() == null ? 0 : 1;
                return one.tryToSay(ready);
            });
        }
        Waits.until("answers", () -> {
            heard[0] += one.look() == null ? 0 : 1;
            return heard[0] == MOST_IN_WINDOW - 2; // but for HELLO and the QP
        });
        two.done(qp(6));
        two.done(qp(7)); // by now all that is read of the first was read
        assertNull(one.look());
        nowNs.addAndGet(WINDOW_NS);
        Waits.until("the rest", () -> {
            heard[0] += one.look() == null ? 0 : 1;
            return heard[0] == said;
        });
    }

    @Test
    void keysThatAreGuessedAreToldOfOnceASecond() throws IOException {
        attached(ONE);
        Engine.Told told = tolds.get(0);
        String line = "one access " + Refusal.NOT_YOURS;
        for (int i = 0; i < 15; i++) {
            told.accessRefused();
        }
        assertEquals(0, audited.stream().filter(line::equals).count());
        for (int i = 0; i < 100; i++) {
            told.accessRefused();
        }
        assertEquals(1, audited.stream().filter(line::equals).count());
        nowNs.addAndGet(SECOND_NS);
        for (int i = 0; i < 16; i++) {
            told.accessRefused();
        }
        assertEquals(2, audited.stream().filter(line::equals).count());
    }
}
