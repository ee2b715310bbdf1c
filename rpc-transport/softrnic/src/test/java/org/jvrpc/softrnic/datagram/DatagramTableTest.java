package org.jvrpc.softrnic.datagram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.softrnic.memory.ArenaHeader;
import org.jvrpc.softrnic.memory.OneSlab;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.VerbsException;

/** Where datagram QPs are found, and the ways to other devices. */
final class DatagramTableTest {

    private static final int PD = 3;
    private static final int ROUTES = 1 << 16;

    private static final int TABLE = (int) ArenaHeader.BYTES;
    private static final int END = TABLE + (int) DatagramTable.BYTES;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(END + 16).order(ByteOrder.LITTLE_ENDIAN);
    private final OneSlab space = new OneSlab(Slab.wrap(memory, 0));
    private final DatagramTable table = new DatagramTable(space, bytes -> space.slab().base() + TABLE);
    private final DatagramRoutes routes = new DatagramRoutes();

    @Test
    void eachQueuePairIsFoundByItsNumberUntilItIsRemoved() {
        for (int i = 0; i < DatagramTable.COUNT; i++) {
            assertEquals(0, table.find(i + 1));
            table.add(i + 1, 128L * i + 64);
        }
        String message = assertThrows(VerbsException.class, () -> table.add(5000, 64)).getMessage();
        assertTrue(message.contains("limit=1024"), message);
        assertEquals(0, memory.getLong(END), "nothing is written behind the table");
        for (int i = 0; i < DatagramTable.COUNT; i++) {
            assertEquals(128L * i + 64, table.find(i + 1));
            table.remove(i + 1);
            assertEquals(0, table.find(i + 1));
        }
        table.add(77, 4096);
        assertEquals(4096, table.find(77));
        assertEquals(0, table.find(1));
        table.remove(78);
        assertEquals(4096, table.find(77));
    }

    @Test
    void whatLiesBehindTheTableIsNoEntry() {
        table.add(1, 64);
        memory.putInt(END, 77).putLong(END + 8, 64);
        assertEquals(0, table.find(77));
        table.remove(77);
        assertEquals(77, memory.getInt(END));
    }

    @Test
    void anotherProcessFindsWhatWasAddedAndAFreedEntryIsUsedAgain() {
        table.add(1, 64);
        table.add(2, 128);
        table.remove(1);
        table.add(3, 192);
        DatagramTable other = new DatagramTable(space);
        assertEquals(192, other.find(3));
        assertEquals(3, memory.getInt(TABLE));
        assertEquals(128, other.find(2));
    }

    @Test
    void aDeviceWithoutItsTableCannotBeReached() {
        OneSlab shorter = new OneSlab(Slab.wrap(memory.slice(0, (int) ArenaHeader.BYTES - 1), 0));
        assertThrows(VerbsException.class, () -> new DatagramTable(shorter));
    }

    @Test
    void aDeviceWithoutADatagramQueuePairHasNoTableAndWhoKnowsItFindsTheOneThatItMakesLater() {
        DatagramTable other = new DatagramTable(space);
        assertEquals(0, other.find(1));
        table.remove(1);
        assertEquals(0, ArenaHeader.datagrams(memory), "nobody asked for one");
        table.add(1, 64);
        assertEquals(64, other.find(1));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 8, -64, Long.MAX_VALUE})
    void theOwnerGoesByWhatItEnteredThoughOthersWriteTheHeader(long written) {
        ArenaHeader.enterDatagrams(memory, written);
        table.remove(1);
        table.add(1, 64);
        assertEquals(64, new DatagramTable(space).find(1));
        ArenaHeader.enterDatagrams(memory, written);
        table.add(2, 128);
        table.remove(1);
        assertEquals(0, table.find(1));
        assertEquals(128, table.find(2));
    }

    @Test
    void aDeviceThatHasNoMemoryForItsTableSaysSoAndHasOneLater() {
        boolean[] full = {true};
        DatagramTable late = new DatagramTable(space, bytes -> {
            if (full[0]) {
                throw new VerbsException("alloc", "no memory: bytes=" + bytes);
            }
            return space.slab().base() + TABLE;
        });
        String message = assertThrows(VerbsException.class, () -> late.add(1, 64)).getMessage();
        assertTrue(message.contains("bytes=16384"), message);
        full[0] = false;
        late.add(1, 64);
        assertEquals(64, new DatagramTable(space).find(1));
    }

    @ParameterizedTest
    @ValueSource(longs = {-8, 8, 32, 1, Long.MIN_VALUE, Long.MAX_VALUE})
    void aTableWhereNoneCanBeIsNone(long offset) {
        memory.putInt(TABLE, 1).putLong(TABLE + 8, 64);
        ArenaHeader.enterDatagrams(memory, space.slab().base() + TABLE + offset);
        assertEquals(0, new DatagramTable(space).find(1));
    }

    private DatagramRoute open(String name) {
        return routes.open(PD, name, space, () -> null);
    }

    @ParameterizedTest
    @CsvSource({"d-1-a,fe80000000000001,a", "d-4294967295-ffffffffffffffff,fe800000ffffffff,ffffffffffffffff",
        "d-12-0123456789abcdef,fe8000000000000c,123456789abcdef"})
    void aRouteHasTheGidOfItsDevicesName(String name, String high, String low) {
        DatagramRoute route = open(name);
        assertEquals(high, Long.toHexString(route.gidHigh()));
        assertEquals(low, Long.toHexString(route.gidLow()));
        assertEquals(PD, route.pd());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "d-1-", "d--1", "x-1-1", "d-1-g", "d-1-00000000000000000", "d-1-1/x",
        "d-9223372036854775808-1"}) // a folder can have such a name, a process not
    void aNameThatIsNoDevicesIsRefused(String name) {
        assertThrows(VerbsException.class, () -> open(name));
    }

    @Test
    void routesAreFoundByIndexAndGid() {
        DatagramRoute[] opened = new DatagramRoute[100];
        for (int i = 0; i < opened.length; i++) {
            opened[i] = open("d-1-" + Integer.toHexString(i + 1));
            assertEquals(i + 1, opened[i].index());
            for (int j = 0; j <= i; j++) {
                assertSame(opened[j], routes.find(j + 1, opened[j].gidHigh(), opened[j].gidLow()), i + " " + j);
            }
        }
        DatagramRoute one = opened[40];
        assertNull(routes.find(one.index() + 1, one.gidHigh(), one.gidLow()));
        assertNull(routes.find(one.index(), one.gidHigh() + 1, one.gidLow()));
        assertNull(routes.find(one.index(), one.gidHigh(), one.gidLow() + 1));
        assertNull(routes.find(0, one.gidHigh(), one.gidLow()));
        assertNull(routes.find(128, one.gidHigh(), one.gidLow()));
        assertNull(routes.find(65535, one.gidHigh(), one.gidLow()));
        routes.remove(one);
        assertNull(routes.find(one.index(), one.gidHigh(), one.gidLow()));
        assertSame(opened[41], routes.find(42, opened[41].gidHigh(), opened[41].gidLow()));
        assertNotEquals(one.index(), open("d-1-1").index(), "an index rests before it is used again");
    }

    @Test
    void routesTakeAllIndicesInTurnAndNoMore() {
        DatagramRoute kept = open("d-1-1");
        for (int i = 2; i < ROUTES; i++) {
            DatagramRoute route = open("d-1-2");
            assertEquals(i, route.index());
            routes.remove(route);
        }
        for (int i = 2; i < ROUTES; i++) {
            assertEquals(i, open("d-1-2").index(), "behind the last comes the first that is free");
        }
        String message = assertThrows(VerbsException.class, () -> open("d-1-3")).getMessage();
        assertTrue(message.contains("limit=65535"), message);
        assertSame(kept, routes.find(1, kept.gidHigh(), kept.gidLow()));
        routes.remove(kept);
        assertEquals(1, open("d-1-3").index());
    }

    @Test
    void aRouteThatIsRemovedTwiceLeavesTheNextOfItsIndex() {
        DatagramRoute first = open("d-1-1");
        routes.remove(first);
        DatagramRoute next = open("d-1-1");
        while (next.index() != first.index()) {
            routes.remove(next);
            next = open("d-1-1");
        }
        routes.remove(first);
        assertSame(next, routes.find(next.index(), next.gidHigh(), next.gidLow()));
    }

    @Test
    void whatReachedNobodyIsCounted() {
        routes.drop();
        routes.drop();
        assertEquals(2, routes.undeliverable());
        assertNull(open("d-1-1").find(77), "there is no such QP");
        table.add(77, space.slab().base() + 64);
        assertNull(open("d-1-1").find(77), "what is there makes no sense");
    }

    @Test
    void claimsHandsAndDropsHaveTheirOwnWords() {
        DatagramContext.write(memory, 0, 0x01020304);
        assertEquals(0x01020304, DatagramContext.qkey(memory, 0));
        assertTrue(DatagramContext.claim(memory, 0, 0, 7));
        assertTrue(!DatagramContext.claim(memory, 0, 0, 8), "it is 7's");
        assertEquals(7, DatagramContext.claimant(memory, 0));
        DatagramContext.release(memory, 0);
        assertEquals(0, DatagramContext.claimant(memory, 0));
        DatagramContext.hand(memory, 0, -2, 0x7ffffff0);
        assertEquals(-2, DatagramContext.consumed(DatagramContext.hand(memory, 0)));
        assertEquals(0x7ffffff0, DatagramContext.cqe(DatagramContext.hand(memory, 0)));
        for (DatagramContext.Drop why : DatagramContext.Drop.values()) {
            for (int i = 0; i <= why.ordinal(); i++) {
                DatagramContext.drop(memory, 0, why);
            }
        }
        for (DatagramContext.Drop why : DatagramContext.Drop.values()) {
            assertEquals(why.ordinal() + 1, DatagramContext.dropped(memory, 0, why));
            assertEquals(why.ordinal() + 1, memory.getInt(192 + 4 * why.ordinal()));
        }
        assertEquals(0x01020304, memory.getInt(56));
    }
}
