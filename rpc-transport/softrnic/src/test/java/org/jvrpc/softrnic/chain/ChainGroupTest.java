package org.jvrpc.softrnic.chain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.host.ProcessId;

/** Who runs a group of chains, for how long, how fast, and who is in it. */
final class ChainGroupTest extends ChainFixture {

    private static final long MS = 1_000_000;
    private static final long NOBODY = ProcessId.of(0x3ffff0); // no process has this number
    private static final long AFAR = ProcessId.SELF ^ 1L << 50; // nothing tells whether it lives

    /** A managed queue of NOPs that may run as far as 16-bit counters go. */
    private Queue endless() {
        Queue queue = member(QueueContext.MANAGED);
        queue.nops(0, BLOCKS);
        queue.limit(Integer.MAX_VALUE);
        return queue;
    }

    private int executedMore(Queue queue) {
        int before = queue.executed();
        run();
        return queue.executed() - before;
    }

    @Test
    void queuesRunUntilAllOfThemWait() {
        Queue first = plain();
        Queue second = plain();
        first.nops(0, 1);
        first.wait(1, 10 * second.qpn, 0);
        first.nops(2, 3);
        second.load(0, Wqe.NOP, 1, (long) Wqe.CE_ALWAYS << 32);
        second.nops(1, 3);
        first.limit(3);
        second.runTo(2);
        assertEquals(List.of("1:0", "2:0", "2:1", "1:1", "1:2"), executed());
        assertFalse(group.isHeld());
        assertEquals(5, group.executed());
        run();
        assertEquals(List.of(), executed());
        assertEquals(5, group.executed());
    }

    @Test
    void aRunEndsAfterSoManyWqesAndTheNextGoesOn() {
        Queue queue = endless();
        queue.limit(4096 + 10);
        run();
        assertEquals(4096, queue.executed());
        assertTrue(group.isHeld());
        group.resume();
        assertEquals(4106, queue.executed());
        assertFalse(group.isHeld());
        assertEquals(0, GroupContext.claim(memory, GROUP, NOBODY), "the claim was not given back");
    }

    @Test
    void aRateLimitsWhatIsExecutedByTheTime() {
        Queue queue = endless();
        group.limitRate(1000, 100);
        assertEquals(100, executedMore(queue), "the burst");
        assertTrue(group.isHeld());
        assertEquals(0, executedMore(queue));
        nowNs += 2 * MS + MS / 2;
        assertEquals(2, executedMore(queue));
        assertEquals(0, executedMore(queue));
        nowNs += MS / 2;
        assertEquals(1, executedMore(queue), "two halves of a WQE");
        nowNs += 60_000 * MS;
        assertEquals(100, executedMore(queue), "the burst after a long time");
        nowNs += 3 * MS;
        assertEquals(3, executedMore(queue), "what is more than a burst is lost");
        assertEquals(206, group.executed());
    }

    @Test
    void whatIsNotUsedAddsUpToABurst() {
        Queue queue = endless();
        group.limitRate(1_000_000_000, 10);
        queue.limit(4);
        assertEquals(4, executedMore(queue));
        assertFalse(group.isHeld(), "six more may be executed");
        queue.limit(Integer.MAX_VALUE);
        nowNs++;
        assertEquals(7, executedMore(queue), "six, and a nanosecond's");
        nowNs += 7;
        queue.limit(queue.executed() + 2);
        assertEquals(2, executedMore(queue));
        nowNs += 9;
        queue.limit(Integer.MAX_VALUE);
        assertEquals(10, executedMore(queue), "of fourteen");
    }

    @Test
    void aGroupThatIsCutOffIsNotRunAndItsQueuePairsFail() {
        Queue queue = plain();
        Queue other = make(0); // no member
        GroupContext.cutOff(memory, GROUP);
        assertTrue(group.isCutOff());
        assertFalse(group.claim());
        assertEquals(QueuePairState.ERR, queue.state());
        assertEquals(QueuePairState.RTS, other.state());
        assertEquals(0, GroupContext.claim(memory, GROUP, NOBODY), "the claim was not given back");
    }

    @Test
    void cuttingOffFailsAllMembersWhateverElseTheMembersListHolds() {
        Queue none = make(0);
        assertTrue(GroupContext.addCq(memory, GROUP, address(none.context))); // behind the list of queues
        assertTrue(GroupContext.addQueue(memory, GROUP, address(DATA))); // no queue
        assertTrue(GroupContext.addQueue(memory, GROUP, address(DATA) + 8));
        assertTrue(GroupContext.addQueue(memory, GROUP, -128));
        Queue lost = plain(); // whose QP is nowhere
        QueueContext.write(memory, lost.context, lost.qpn, 0, BLOCKS, 0, -128, 0, 0);
        Queue first = plain();
        Queue second = managed();
        group.cutOff();
        assertTrue(group.isCutOff());
        assertEquals(List.of(QueuePairState.ERR, QueuePairState.ERR, QueuePairState.RTS),
                List.of(first.state(), second.state(), none.state()));
    }

    @Test
    void theClaimOfADeadProcessEndsTheGroup() {
        Queue queue = plain();
        assertEquals(0, GroupContext.claim(memory, GROUP, NOBODY));
        assertFalse(group.claim());
        assertTrue(group.isCutOff());
        assertEquals(QueuePairState.ERR, queue.state());
        assertFalse(group.wasTakenOver(), "it does not live");
        assertEquals(0, GroupContext.claim(memory, GROUP, AFAR), "the claim was not given back");
    }

    @Test
    void theClaimOfAProcessThatMayLiveIsLeftAlone() {
        Queue queue = plain();
        assertEquals(0, GroupContext.claim(memory, GROUP, AFAR));
        assertFalse(group.claim());
        group.resume();
        assertFalse(group.isCutOff());
        assertEquals(QueuePairState.RTS, queue.state());
        assertEquals(AFAR, GroupContext.claim(memory, GROUP, NOBODY), "it has it still");
    }

    @ParameterizedTest
    @CsvSource({"100000000,3", "99999999,3", "100000001,2", "10000000,12"})
    void theOwnerTakesTheClaimFromWhoHoldsItForMoreThanATenthOfASecond(long stepNs, int looks) {
        Queue queue = plain();
        assertEquals(0, GroupContext.claim(memory, GROUP, AFAR));
        this.stepNs = stepNs;
        long startNs = nowNs;
        group.change(shared -> {
            assertEquals(ProcessId.SELF, GroupContext.claim(memory, GROUP, NOBODY), "changed without the claim");
            return true;
        }, "a test");
        assertEquals(looks, (nowNs - startNs) / stepNs);
        assertTrue(group.isCutOff());
        assertTrue(group.wasTakenOver());
        assertEquals(QueuePairState.ERR, queue.state());
        assertEquals(0, GroupContext.claim(memory, GROUP, NOBODY), "the claim was not given back");
    }

    @Test
    void theOwnerWaitsForAClaimThatEndsInTime() {
        assertEquals(0, GroupContext.claim(memory, GROUP, AFAR));
        stepNs = 30 * MS;
        int[] looks = {0};
        whenTheTimeIsAsked = () -> {
            if (++looks[0] == 3) {
                GroupContext.release(memory, GROUP);
            }
        };
        group.change(shared -> true, "a test");
        assertEquals(3, looks[0]);
        assertFalse(group.isCutOff());
        assertFalse(group.wasTakenOver());
    }

    @Test
    void aChangeThatCannotBeSaysWhichAndEndsTheClaim() {
        String message = assertThrows(
                VerbsException.class, () -> group.change(shared -> false, "too many")).getMessage();
        assertTrue(message.contains("too many: places=32"), message);
        assertEquals(0, GroupContext.claim(memory, GROUP, NOBODY), "the claim was not given back");
    }

    @Test
    void aGroupThatIsClosedLetsGoOfPeersOnceAndIsNotChanged() {
        Space there = new Space(slab);
        spaces.put("there", there);
        assertSame(space, group.peers().space(DEVICE));
        assertSame(there, group.peers().space("there"));
        spaces.clear();
        assertSame(there, group.peers().space("there"), "it is known");
        group.close();
        group.close();
        assertEquals(1, there.closes);
        assertEquals(0, space.closes);
        group.change(shared -> {
            throw new AssertionError("changed");
        }, "a test");
    }

    @Test
    void membersComeAndGo() {
        Queue first = plain();
        first.nops(0, BLOCKS);
        first.runTo(1);
        Queue second = plain();
        second.nops(0, BLOCKS);
        first.limit(2);
        second.runTo(1);
        assertEquals(List.of("1:0", "1:1", "2:0"), executed());
        GroupContext.removeQueue(memory, GROUP, address(first.context));
        first.limit(3);
        second.runTo(2);
        assertEquals(List.of("2:1"), executed());
        second.wait(2, 10 * second.qpn, 5);
        second.runTo(3);
        GroupContext.removeCq(memory, GROUP, address(second.cq));
        run();
        assertEquals(List.of("2:2 LOC_QP_OP_ERR"), executed(), "its CQ is no member any more");
    }

    @Test
    void membersWhoseNumbersEndAlikeAreToldApart() {
        Queue first = managed();
        for (int i = 0; i < GroupContext.PLACES - 1; i++) {
            make(0);
        }
        Queue second = managed();
        assertEquals(GroupContext.PLACES, second.qpn - first.qpn);
        Queue kick = managed();
        first.load(0, Wqe.NOP, 1, (long) Wqe.CE_ALWAYS << 32);
        first.nops(1, 1);
        second.nops(0, 2);
        for (int i = 0; i < 2; i++) {
            kick.enable(2 * i, Wqe.SEND_ENABLE, first.qpn, i + 1);
            kick.enable(2 * i + 1, Wqe.SEND_ENABLE, second.qpn, i + 1);
        }
        kick.runTo(4);
        assertEquals(List.of(2, 2), List.of(first.executed(), second.executed()));
        kick.wait(4, 10 * first.qpn, 0);
        kick.wait(5, 10 * second.qpn, 0);
        kick.wait(6, 10 * first.qpn, 0);
        kick.runTo(7);
        assertEquals(5, kick.executed(), "the second has completed nothing");
        GroupContext.removeQueue(memory, GROUP, address(second.context));
        kick.enable(5, Wqe.SEND_ENABLE, second.qpn, 3);
        executed();
        kick.runTo(6);
        assertEquals(List.of(kick.qpn + ":5 LOC_QP_OP_ERR"), executed(), "the second is no member any more");
    }

    @Test
    void listsOfMembersHaveAnEnd() {
        for (int i = 0; i < GroupContext.PLACES; i++) {
            assertTrue(GroupContext.addQueue(memory, GROUP, 128 * (i + 1)));
        }
        int version = GroupContext.version(memory, GROUP);
        assertFalse(GroupContext.addQueue(memory, GROUP, 128 * 33));
        assertEquals(0, GroupContext.cq(memory, GROUP, 0), "it is among the CQs");
        assertEquals(version, GroupContext.version(memory, GROUP), "nothing changed");
        memory.putLong(GROUP + GroupContext.BYTES, 64); // what lies behind is not the group's
        for (int i = 1; i <= GroupContext.PLACES; i++) {
            assertTrue(GroupContext.addCq(memory, GROUP, 64 * i));
            assertEquals(version + i, GroupContext.version(memory, GROUP));
        }
        assertEquals(64, GroupContext.cq(memory, GROUP, 0));
        assertTrue(GroupContext.addCq(memory, GROUP, 64 * 32), "it is there");
        assertEquals(version + 32, GroupContext.version(memory, GROUP), "nothing changed");
        memory.putLong(GROUP + GroupContext.BYTES, 0);
        assertFalse(GroupContext.addCq(memory, GROUP, 64 * 33));
        assertEquals(0, memory.getLong(GROUP + GroupContext.BYTES), "written behind the context");
    }

    @Test
    void aGroupIsWhereItsContextIs() {
        String message = assertThrows(VerbsException.class,
                () -> new ChainGroup(this, space, DEVICE, address(GROUP) + 8)).getMessage();
        assertTrue(message.contains("group of chains is not aligned"), message);
        message = assertThrows(VerbsException.class,
                () -> new ChainGroup(this, space, DEVICE, address(DATA))).getMessage();
        assertTrue(message.contains("no group of chains at address=0x"), message);
        assertEquals(address(GROUP), group.address());
        assertEquals(GROUP, group.context());
        assertEquals(PD, group.pd());
        assertTrue(group.is(DEVICE, address(GROUP)));
        assertFalse(group.is(DEVICE, address(DATA)));
        assertFalse(group.is("there", address(GROUP)));
    }
}
