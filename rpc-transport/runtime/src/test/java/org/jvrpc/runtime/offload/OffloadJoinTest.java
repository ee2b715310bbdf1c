package org.jvrpc.runtime.offload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.offload.lookup.LookupKind;
import org.jvrpc.offload.lookup.Offer;
import org.jvrpc.offload.lookup.OffloadHost;
import org.jvrpc.offload.table.IndexHeader;
import org.jvrpc.runtime.OffloadSettings;
import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.contract.Quotes;
import org.jvrpc.runtime.contract.QuotesService;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.MemoryRegion;

/** How a connection to a program is made and made again, and what it finds in the memory of another's host. */
class OffloadJoinTest {

    private static final long MS = 1_000_000;
    private static final long FIRST_NS = 10 * MS;
    private static final long LONG_NS = 5_000 * MS;
    private static final int CHUNKS_FROM = 64 + 32 * 8;

    private final OffloadRig rig = new OffloadRig();
    private final String hostAddress = ShmFolder.address();
    private final OffloadHost host = new OffloadHost(rig.serverDevice, hostAddress);
    private final OffloadSettings hosted = new OffloadSettings().capacity(3).answerBytes(64);
    private final MemoryRegion region = rig.serverDevice.allocatePd()
            .allocate(hosted.bytes(), Access.LOCAL_WRITE | Access.REMOTE_READ);
    private final ByteBuffer memory = region.buffer(0, (int) region.length());
    private final MethodPublisher<Quotes> last =
            rig.offer("last(long)", hosted.hosted(hostAddress, "table", region, 0));
    private final OffloadedCall call;

    OffloadJoinTest() {
        host.offer(new Offer("table", LookupKind.HASH_GET, region, last.header()));
        call = new OffloadedCall(rig.lookups(last, QuotesService.LAST_LONG, 64));
    }

    @AfterEach
    void close() {
        host.close();
        rig.close();
    }

    private void refuse(String why) {
        rig.client.refusal = new ConnectionException(ConnectionException.Reason.UNREACHABLE, why, null);
    }

    /** Tries to connect, which is due now and was not a nanosecond before. */
    private void joinAfter(long ns) {
        rig.time.nowNs += ns - 1;
        assertFalse(call.tryJoin());
        rig.time.nowNs++;
        assertTrue(call.tryJoin());
        call.join();
    }

    // ---- when

    @Test
    void whoeverIsFirstHasTheConnectionMadeAtOnce() {
        assertFalse(call.tryClaim());
        assertTrue(call.tryJoin());
        assertFalse(call.tryJoin(), "one at a time");
        assertFalse(call.tryClaim());
        call.join();
        assertTrue(call.tryClaim());
        assertFalse(call.tryClaim(), "it is claimed");
    }

    @Test
    void attemptsFollowEachOtherLaterAndLater() {
        refuse("planted");
        joinAfter(0);
        joinAfter(FIRST_NS);
        joinAfter(2 * FIRST_NS);
        joinAfter(4 * FIRST_NS);
        rig.client.refusal = null;
        joinAfter(8 * FIRST_NS);
        assertTrue(call.tryClaim());
    }

    @Test
    void aConnectionThatHeldLongIsMadeAgainAtOnceAndOneThatDidNotLater() {
        rig.client.refusesReads = true;
        joinAfter(0);
        rig.time.nowNs += FIRST_NS + LONG_NS;
        assertTrue(call.tryJoin());
        call.join();
        rig.time.nowNs += 2 * FIRST_NS + LONG_NS + 1;
        assertTrue(call.tryJoin());
        call.join();
        joinAfter(FIRST_NS);
    }

    @Test
    void aConnectionThatIsMadeAgainReplacesTheOneBefore() {
        call.join();
        call.join();
        assertEquals(2, rig.client.connections);
        assertEquals(1, rig.client.closed);
        rig.quotes.last.put(5L, 55L);
        last.publish(q -> q.last(5));
        assertEquals(55, rig.stub(call).last(5));
        refuse("planted");
        call.join();
        call.join();
        assertEquals(2, rig.client.closed, "once each");
    }

    @Test
    void whatCannotBeConnectedIsToldToTheLog() {
        int[] asked = new int[1];
        rig.client.refusal = new IllegalArgumentException() {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                asked[0]++;
                return "planted";
            }
        };
        call.join();
        assertEquals(1, asked[0]);
        assertFalse(call.tryClaim());
    }

    @Test
    void anErrorWhileConnectingDoesNotEndAllAttempts() {
        rig.client.refusal = new OutOfMemoryError("planted");
        assertTrue(call.tryJoin());
        assertThrows(OutOfMemoryError.class, call::join);
        rig.client.refusal = null;
        joinAfter(FIRST_NS);
        assertTrue(call.tryClaim());
    }

    // ---- what the memory has

    private void header(long count) {
        IndexHeader.publish(memory, 0, region.address() + 64, count);
    }

    @ParameterizedTest
    @CsvSource({"-8, false", "0, false", "1, false", "2, true", "3, false", "6, false", "8, true", "1073741824, true",
        "1073741825, false", "2147483648, false", "4294967296, false"})
    void aTableHasAsManyBucketsAsHashesReach(long count, boolean joined) {
        header(count);
        call.join();
        assertEquals(joined, call.tryClaim());
    }

    @Test
    void aTableThatIsBeingMadeIsLookedForLater() {
        long check = memory.getLong(IndexHeader.CHECK);
        memory.putLong(IndexHeader.CHECK, ~check);
        call.join();
        assertFalse(call.tryClaim());
        memory.putLong(IndexHeader.CHECK, check);
        joinAfter(FIRST_NS);
        assertTrue(call.tryClaim());
    }

    @Test
    void aMemoryThatCannotBeReadIsNoTable() {
        rig.client.refusesReads = true;
        call.join();
        assertFalse(call.tryClaim());
    }

    @Test
    void aTableThatIsMadeAnewIsSearchedWhereItWasMeanwhile() {
        rig.quotes.last.put(5L, 55L);
        last.publish(q -> q.last(5));
        call.join();
        Quotes stub = rig.stub(call);
        rig.ordinary.answer = 1;
        assertEquals(1, stub.last(6));
        memory.putLong(IndexHeader.CHECK, ~memory.getLong(IndexHeader.CHECK));
        for (int i = 2; i < 4; i++) {
            rig.time.nowNs += 2 * MS;
            assertEquals(55, stub.last(5));
            assertEquals(i, rig.client.reads, "it is looked for each time");
        }
    }

    @Test
    void aTableThatMovedIsFound() {
        rig.quotes.last.put(5L, 55L);
        last.publish(q -> q.last(5));
        long address = IndexHeader.address(memory, 0);
        header(2); // the table is elsewhere, or was
        IndexHeader.publish(memory, 0, address + 64, 2);
        call.join();
        Quotes stub = rig.stub(call);
        rig.ordinary.answer = 1;
        stub.last(5);
        rig.ordinary.did();
        IndexHeader.publish(memory, 0, address, 8);
        rig.time.nowNs += 2 * MS;
        assertEquals(55, stub.last(5));
        assertEquals(List.of(), rig.ordinary.did());
    }

    @Test
    void anAnswerThatIsNotWholeIsAskedForFourTimesAndThenOfTheServer() {
        rig.quotes.last.put(5L, 55L);
        last.publish(q -> q.last(5));
        call.join();
        Quotes stub = rig.stub(call);
        int result = -1;
        for (int at = CHUNKS_FROM; at < memory.capacity() - 8 && result < 0; at += 8) {
            result = memory.getLong(at) == 55 ? at : -1;
        }
        memory.putLong(result, 56);
        rig.ordinary.answer = 1;
        assertEquals(1, stub.last(5));
        assertEquals(4, rig.client.lookups);
        memory.putLong(result, 55);
        rig.time.nowNs += 2 * MS;
        assertEquals(55, stub.last(5));
        assertEquals(2, rig.client.reads, "the table may be elsewhere");
        assertEquals(5, rig.client.lookups);
    }
}
