package org.jvrpc.ibverbs.interop.exchange;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.jvrpc.ibverbs.core.Gid;
import org.jvrpc.ibverbs.core.RdmaEndpoint;
import org.jvrpc.verbs.contract.Background;

/** The texts that are exchanged, and their order; without a device. */
final class ExchangeTest {

    private static final int SECONDS = 30;
    private static final Gid GID = new Gid(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 10, 9, 0, 1});
    private static final PerftestKey KEY =
            new PerftestKey(0, 16, 0x11, 0x1001fe, 0xfedc4321, 0xffff_7f12_3456_7000L, GID, 0);

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    @Test
    void aPlaceIsWrittenAsPingPongsWriteIt() {
        Place place = new Place(0, 0x11, 0x1001fe, GID);
        String expected = "0000:000011:1001fe:00000000000000000000ffff0a090001\0";
        assertEquals(expected, text(place.encode()));
        assertEquals(Place.BYTES, expected.length());
        assertEquals(place, Place.decode(place.encode()));
        assertEquals(place.qpn(), RdmaEndpoint.decode(place.endpoint()).qpn());
        assertThrows(AssertionError.class, () -> Place.decode("nothing".getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void aKeyIsWrittenAsPerftestWritesIt() {
        String expected = "0000:0010:000011:1001fe:fedc4321:ffff7f1234567000:"
                + "00:00:00:00:00:00:00:00:00:00:ff:ff:0a:09:00:01:00000000:\0";
        assertEquals(expected, text(KEY.encode()));
        assertEquals(PerftestKey.BYTES, expected.length());
        assertEquals(KEY, PerftestKey.decode(KEY.encode()));
        assertThrows(AssertionError.class, () -> PerftestKey.decode("a:b".getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void perftestsTalkGoesThroughWithOneAtEachEnd() throws Exception {
        try (ServerSocket listener = Line.listen("127.0.0.1"); Tool tool = Tool.start("sleep", "60")) {
            PerftestKey other = new PerftestKey(1, 1, 2, 3, 4, 5, GID, 6);
            Background<PerftestKey> server = Background.start("server", () -> {
                try (Line line = Line.accept(listener)) {
                    Perftest talk = Perftest.greet(line, false);
                    PerftestKey seen = talk.keys(other, 2);
                    talk.close(other);
                    assertArrayEquals("done\0".getBytes(StandardCharsets.US_ASCII), line.read(5));
                    return seen;
                }
            });
            try (Line line = Line.connect("127.0.0.1", "127.0.0.1", listener.getLocalPort(), tool)) {
                Perftest talk = Perftest.greet(line, true);
                assertEquals(5, talk.mtu());
                assertEquals(other, talk.keys(KEY, 2));
                talk.close(KEY);
                assertEquals(KEY, server.join(SECONDS));
            }
        }
    }
}
