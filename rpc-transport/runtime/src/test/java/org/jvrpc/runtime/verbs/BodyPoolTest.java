package org.jvrpc.runtime.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.SessionLimits;
import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.session.SessionBudget;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.VerbsException;

class BodyPoolTest {

    private final Device device = Devices.open(ShmFolder.address());
    private final BodyPool pool = new BodyPool(new SessionDomain(device, null));

    @AfterEach
    void close() {
        pool.close();
        device.close();
    }

    @Test
    void bodiesHaveRoomForWhatWasAskedAndAtMostTwiceThat() {
        for (long bytes : new long[] {0, 1, 16_383, 16_384, 16_385, 32_768, 32_769, 1_000_000, 1 << 20, 1 << 20 | 1}) {
            RegionBody body = pool.take(bytes);
            assertTrue(body.capacity() >= bytes, "bytes=" + bytes + " capacity=" + body.capacity());
            assertTrue(body.capacity() <= Math.max(2 * bytes, 16_384), "bytes=" + bytes + " is " + body.capacity());
            pool.give(body);
        }
    }

    @Test
    void whatComesBackIsTakenAgainForTheSameSize() {
        RegionBody less = pool.take(3 << 20);
        RegionBody more = pool.take(5 << 20);
        pool.give(less);
        pool.give(more);
        assertSame(more, pool.take(6 << 20));
        assertSame(less, pool.take(4 << 20));
        assertNotSame(less, pool.take(4 << 20));
    }

    @ParameterizedTest
    @CsvSource({"100, 64", "65536, 64", "70000, 32", "1000000, 4", "4000000, 1"})
    void bodiesOfOneSizeAreUsedInTurnAndAreNoMoreThanThat(int bytes, int turns) {
        List<RegionBody> first = new ArrayList<>();
        for (int i = 0; i < turns; i++) {
            first.add(pool.take(bytes));
            pool.give(first.get(i));
        }
        assertEquals(turns, Set.copyOf(first).size());
        for (int i = 0; i < 3 * turns; i++) {
            RegionBody body = pool.take(bytes);
            assertSame(first.get(i % turns), body, "turn=" + i);
            pool.give(body);
        }
    }

    @Test
    void whatIsFetchedGoesToTheMemoryThatWasUsedLast() {
        RegionBody first = pool.takeForFetch(100);
        RegionBody second = pool.takeForFetch(100);
        pool.give(second);
        pool.give(first);
        assertSame(first, pool.takeForFetch(100));
        assertSame(second, pool.reuseForFetch(100));
    }

    @ParameterizedTest
    @CsvSource({"0, 60, 100", "40, 20, 100", "60, 0, 100", "61, 63, 100", "0, 0, 16325"})
    void theArrayThatIsTooLongForASlotLiesInWholeLinesWhereThereIsRoom(int before, int begin, int length) {
        WireWriter writer = new WireWriter();
        writer.reset(ByteBuffer.allocate(before), 0, before,
                (full, needed) -> pool.grow(full, needed, null, 1 << 20, "planted is", null), null);
        for (int i = 0; i < before; i++) {
            writer.writeByte((byte) i);
        }
        writer.writeBytes(new byte[length]);
        assertEquals(begin, writer.start());
        assertEquals(before + 4 + length, writer.length());
        for (int i = 0; i < before; i++) {
            assertEquals(i, writer.buffer().get(begin + i));
        }
    }

    @Test
    void whatIsSentBeginsWhereItWasWritten() {
        RegionBody body = pool.take(100);
        assertEquals(body.address(), body.sentAddress());
        assertEquals(60, body.beginAt(60));
        assertEquals(body.address() + 60, body.sentAddress());
        pool.give(body);
    }

    @Test
    void allSizesTogetherGetFourMebibytesForTurns() {
        for (int size = 1 << 14; size <= 1 << 22; size *= 2) {
            Set<RegionBody> seen = new HashSet<>();
            for (int i = 0; i < 200; i++) {
                RegionBody body = pool.take(size);
                seen.add(body);
                pool.give(body);
            }
            int turns = size == 1 << 14 ? 64 : size == 1 << 15 ? 64 : size == 1 << 16 ? 16 : 1;
            assertEquals(turns, seen.size(), "size=" + size);
        }
    }

    @Test
    void itKeepsSixtyFourMebibytesAndClosesTheRest() {
        List<RegionBody> bodies = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            bodies.add(pool.take(16 << 20));
        }
        bodies.forEach(pool::give);
        List<RegionBody> again = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            again.add(pool.take(16 << 20));
        }
        assertEquals(4, again.stream().filter(bodies::contains).count());
    }

    @Test
    void bodiesThatNobodyHasMakeRoomForOneOfAnotherSize() {
        SessionBudget budget = new SessionBudget(new SessionLimits().bodyMemory(8 << 20, 8 << 20));
        try (SessionBudget.Share share = budget.admit("peer");
                BodyPool small = new BodyPool(new SessionDomain(device, share))) {
            small.give(small.take(4 << 20));
            RegionBody all = small.take(8 << 20);
            RpcException e = assertThrows(RpcException.class, () -> small.take(1));
            assertEquals(Status.RESOURCE_EXHAUSTED, e.status(), e.getMessage());
            small.give(all);
            small.give(small.take(1));
        }
        assertTrue(budget.isEmpty(), budget::toString);
    }

    @Test
    void aClosedPoolKeepsAndGivesNothing() {
        RegionBody body = pool.take(1);
        pool.close();
        pool.give(body);
        assertEquals(Status.UNAVAILABLE, assertThrows(RpcException.class, () -> pool.take(1)).status());
    }

    @Test
    void bodiesThatAreClosedAreCountedNoMore() {
        RegionBody large = pool.take(80 << 20);
        pool.give(large); // beyond what is kept
        RegionBody another = pool.take(80 << 20);
        assertNotSame(large, another);
        pool.give(another);
        Set<RegionBody> turn = new HashSet<>();
        for (int i = 0; i < 64; i++) {
            RegionBody body = pool.take(1);
            turn.add(body);
            pool.give(body);
        }
        assertEquals(64, turn.size(), "large bodies that are closed leave the small ones their turns");
        assertTrue(turn.contains(pool.take(1)), "and their place among what is kept");
    }

    @Test
    void bodiesOfBothKindsShareFewRegionsAndOnlyThoseThatAreSentCanBeRead() {
        Set<Integer> sent = new HashSet<>();
        Set<Integer> fetched = new HashSet<>();
        for (int i = 0; i < 64; i++) {
            RegionBody body = pool.take(1 << 14);
            sent.add(body.rkey());
            assertEquals(Access.LOCAL_WRITE | Access.REMOTE_READ, body.slab().mr().access());
            RegionBody own = pool.takeForFetch(1 << 14);
            fetched.add(own.rkey());
            assertEquals(Access.LOCAL_WRITE, own.slab().mr().access());
        }
        assertEquals(1, sent.size(), "64 bodies of 16 KiB are a region");
        assertEquals(1, fetched.size(), "64 bodies of 16 KiB are a region");
    }

    /** While one looks for memory in vain, another thread gives a body back. */
    @Test
    void aBodyThatComesBackMeanwhileIsTakenWhereThereIsNoMemory() {
        StillDevice still = new StillDevice();
        BodyPool scarce = new BodyPool(new SessionDomain(still.device(), null));
        RegionBody large = scarce.take(4 << 20);
        scarce.give(scarce.take(2 << 20));
        still.whenAllocating = () -> {
            throw new VerbsException("reg_mr", "no memory");
        };
        still.whenFreeing = () -> scarce.give(large); // it makes room of what is not used first
        assertSame(large, scarce.take(4 << 20));
    }

    @Test
    void whatIsMadeWhileTheSessionEndsIsGivenBack() {
        StillDevice still = new StillDevice();
        BodyPool ending = new BodyPool(new SessionDomain(still.device(), null));
        still.whenAllocating = ending::close;
        RpcException e = assertThrows(RpcException.class, () -> ending.take(1));
        assertEquals(Status.UNAVAILABLE, e.status());
        assertEquals(List.of("close memory", "close domain"), still.did());
    }
}
