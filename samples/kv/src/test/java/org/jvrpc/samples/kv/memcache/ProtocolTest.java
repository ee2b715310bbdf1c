package org.jvrpc.samples.kv.memcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.samples.kv.store.FakeClock;
import org.jvrpc.samples.kv.store.Store;
import org.jvrpc.samples.kv.store.StoreSettings;
import org.jvrpc.samples.kv.store.TestRegion;

/** A session, byte for byte and without a socket. */
class ProtocolTest {

    private final FakeClock clock = new FakeClock(1_700_000_000);
    private final BufferBudget budget = new BufferBudget(16L << 20);
    private TestRegion region;
    private Store store;
    private Session session;

    @BeforeEach
    void open() {
        StoreSettings settings = StoreSettings.ofMemory(8L << 20);
        region = new TestRegion(settings.regionBytes());
        store = Store.create(region.region(), settings, clock);
        session = session();
    }

    private Session session() {
        return new Session(store, new ServerStatus(ServerSettings.ofPort(0), clock.seconds()), new BufferPool(budget));
    }

    @AfterEach
    void close() {
        region.close();
    }

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).order(ByteOrder.LITTLE_ENDIAN).put(bytes).flip();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Returns the answers to input that comes all at once. */
    private String ask(String text) {
        return ask(direct(bytes(text)));
    }

    private String ask(ByteBuffer in) {
        StringBuilder answers = new StringBuilder();
        while (true) {
            Progress progress = session.process(in);
            answers.append(drain());
            if (progress != Progress.OUTPUT_FULL) {
                return answers.toString();
            }
        }
    }

    private String drain() {
        if (session.out.isEmpty()) {
            return "";
        }
        ByteBuffer unsent = session.out.unsent();
        byte[] bytes = new byte[unsent.remaining()];
        unsent.get(bytes);
        session.out.sent();
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    @Test
    void commandsMayComeInPiecesOfAnySize() {
        String commands = "set a 1 0 5\r\nhello\r\nget a b a\r\nmg a v f\r\nms b 2\r\nxx\r\ngets  b \r\nversion\r\n"
                + "incr a 1\r\nget a\nquit\r\n";
        String whole = ask(commands).replaceAll("(VALUE b 0 2) \\d+", "$1 N");
        for (int piece = 1; piece < 9; piece++) {
            session = session();
            store.flushAll(0);
            ByteBuffer in = ByteBuffer.allocateDirect(4096).order(ByteOrder.LITTLE_ENDIAN);
            StringBuilder answers = new StringBuilder();
            for (int at = 0; at < commands.length(); at += piece) {
                in.put(bytes(commands.substring(at, Math.min(commands.length(), at + piece)))).flip();
                answers.append(ask(in));
                in.compact();
            }
            assertEquals(whole, answers.toString().replaceAll("(VALUE b 0 2) \\d+", "$1 N"), "piece=" + piece);
        }
    }

    @Test
    void aMultigetOfMoreThanTheOutputHoldsStopsInBetweenAndGoesOn() {
        String value = "v".repeat(10_000);
        StringBuilder line = new StringBuilder("get");
        for (int i = 0; i < 60; i++) {
            assertEquals("STORED\r\n", ask("set k" + i + " 0 0 10000\r\n" + value + "\r\n"));
            line.append(" k").append(i);
        }
        ByteBuffer in = direct(bytes(line + "\r\nversion\r\n"));
        int rounds = 0;
        StringBuilder answers = new StringBuilder();
        Progress progress;
        do {
            progress = session.process(in);
            String some = drain();
            assertTrue(some.length() < 50_000, "at a time: " + some.length());
            answers.append(some);
            rounds++;
        } while (progress == Progress.OUTPUT_FULL);
        assertTrue(rounds > 10, "rounds=" + rounds);
        assertEquals(60, answers.toString().split("VALUE ").length - 1);
        assertTrue(answers.toString().endsWith("END\r\nVERSION " + ServerStatus.VERSION + "\r\n"));
    }

    @Test
    void theLongestValueGoesInAndOut() {
        String value = "x".repeat(1 << 20);
        assertEquals("STORED\r\n", ask("set k 7 0 1048576\r\n" + value + "\r\n"));
        assertEquals("VALUE k 7 1048576\r\n" + value + "\r\nEND\r\n", ask("get k\r\n"));
        assertEquals("SERVER_ERROR object too large for cache\r\nEND\r\n",
                ask("set k 7 0 1048577\r\n" + value + "y\r\nget k\r\n"));
        assertEquals("SERVER_ERROR object too large for cache\r\nEN\r\n",
                ask("ms k 1048577\r\n" + value + "y\r\nmg k\r\n"));
        assertEquals(16L << 20, budget.remaining(), "all buffers are given back");
    }

    @Test
    void withoutBuffersLongValuesAreRefusedAndTheRestGoesOn() {
        String value = "x".repeat(1 << 20);
        assertEquals("STORED\r\n", ask("set k 7 0 1048576\r\n" + value + "\r\n"));
        assertTrue(budget.take(16 << 20));
        assertEquals("SERVER_ERROR out of memory writing get response\r\nVERSION " + ServerStatus.VERSION + "\r\n",
                ask("get k\r\nversion\r\n"));
        assertEquals("SERVER_ERROR out of memory writing get response\r\n", ask("mg k v\r\n"));
        ByteBuffer in = direct(bytes("set n 0 0 100000\r\nxxx"));
        assertEquals(Progress.NEED_INPUT, session.process(in));
        assertEquals(100_020, session.needed());
        session.refuseLongInput();
        assertEquals("SERVER_ERROR out of memory storing object\r\n", ask(in));
        assertEquals("VERSION " + ServerStatus.VERSION + "\r\n",
                ask("x".repeat(99_997) + "\r\nversion\r\n"));
    }

    @Test
    void numbersWrapAtTheTopAndStopAtZero() {
        assertEquals("STORED\r\n4\r\n", ask("set n 0 0 20\r\n18446744073709551615\r\nincr n 5\r\n"));
        assertEquals("0\r\n", ask("decr n 18446744073709551615\r\n"));
    }

    @Test
    void expiryFollowsTheClock() {
        assertEquals("STORED\r\nSTORED\r\n", ask("set a 0 10 1\r\nx\r\nset b 0 0 1\r\ny\r\n"));
        assertEquals("HD t10\r\nHD t-1\r\n", ask("mg a t\r\nmg b t\r\n"));
        clock.addSeconds(4);
        assertEquals("HD t6 l4 h1\r\n", ask("mg a t l h\r\n"));
        assertEquals("TOUCHED\r\nHD t50\r\n", ask("touch a 50\r\nmg a t\r\n"));
        assertEquals("HD t50 t100\r\n".replace(" t100", ""), ask("mg a t T100\r\n"));
        clock.addSeconds(100);
        assertEquals("EN\r\nVALUE b 0 1\r\ny\r\nEND\r\n", ask("mg a\r\nget a b\r\n"));
        assertEquals("OK\r\nVALUE b 0 1\r\ny\r\nEND\r\n", ask("flush_all 2\r\nget b\r\n"));
        clock.addSeconds(2);
        assertEquals("END\r\n", ask("get b\r\n"));
    }

    @Test
    void oneClientIsToldToRenewWhatIsAboutToExpire() {
        assertEquals("HD W\r\nHD Z\r\n", ask("mg a N30\r\nmg a\r\n"));
        assertEquals("HD\r\nHD t5\r\nHD W\r\nHD Z\r\n", ask("ms b 0 T5\r\n\r\nmg b t\r\nmg b R10\r\nmg b R10\r\n"));
        assertEquals("HD\r\nHD\r\nHD X W\r\nHD Z X\r\n", ask("ms c 0\r\n\r\nmd c I\r\nmg c\r\nmg c\r\n"));
    }

    @Test
    void aLongLineWithoutAnEndClosesTheConnectionUnlessItIsAGet() {
        assertEquals(Progress.CLOSE, session.process(direct(bytes("x".repeat(3000)))));
        session = session();
        assertEquals(Progress.NEED_INPUT, session.process(direct(bytes("get " + "x ".repeat(3000)))));
        session = session();
        assertEquals(Progress.CLOSE, session.process(direct(bytes("get " + "x ".repeat(600_000)))));
    }

    @Test
    void binaryRequestsAreToldByTheirFirstByte() {
        ByteBuffer in = ByteBuffer.allocateDirect(48).order(ByteOrder.LITTLE_ENDIAN);
        in.put(0, (byte) 0x80).put(1, (byte) BinaryOpcode.VERSION).put(12, (byte) 0x12).put(15, (byte) 0x34);
        in.put(24, (byte) 0x80).put(25, (byte) BinaryOpcode.QUIT);
        String answers = ask(in);
        assertEquals(0x81, answers.charAt(0));
        assertEquals(0x12, answers.charAt(12));
        assertEquals(0x34, answers.charAt(15));
        assertEquals(ServerStatus.VERSION, answers.substring(24, 24 + ServerStatus.VERSION.length()));
        assertEquals(48 + ServerStatus.VERSION.length(), answers.length());
        assertEquals(Progress.CLOSE, session.process(in));
    }

    @Test
    void aBinarySessionEndsAtARequestWithoutTheMagic() {
        ByteBuffer in = ByteBuffer.allocateDirect(48).order(ByteOrder.LITTLE_ENDIAN);
        in.put(0, (byte) 0x80).put(1, (byte) BinaryOpcode.NOOP).put(24, (byte) 0x70);
        assertEquals(Progress.CLOSE, session.process(in));
        assertEquals(24, drain().length());
    }

    @Test
    void statisticsCountWhatWasDone() {
        ask("set a 0 0 1\r\nx\r\nget a\r\nget b\r\nincr b 1\r\ndelete a\r\nmg a\r\nme a\r\n");
        String stats = ask("stats\r\n");
        for (String line : new String[] {"cmd_get 3", "get_hits 1", "get_misses 2", "cmd_set 1", "incr_misses 1",
            "delete_hits 1", "cmd_meta 1", "curr_items 0", "total_items 1"}) {
            assertTrue(stats.contains("STAT " + line + "\r\n"), line + " in " + stats);
        }
        for (String group : new String[] {"settings", "items", "slabs", "sizes", "conns"}) {
            assertTrue(ask("stats " + group + "\r\n").endsWith("END\r\n"));
        }
        assertEquals("RESET\r\n", ask("stats reset\r\n"));
        assertTrue(ask("stats\r\n").contains("STAT cmd_get 0\r\n"));
    }
}
