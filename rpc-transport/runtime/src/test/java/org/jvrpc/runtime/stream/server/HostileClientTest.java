package org.jvrpc.runtime.stream.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.service.Extension;
import org.jvrpc.testing.fuzz.FuzzCheck;

/**
 * Clients that break the protocol of streams, in each field. Their session ends and says why, and a session that does
 * not end serves the next call; {@link StreamSessionFuzz} finds that neither keeps memory.
 */
class HostileClientTest {

    private static final int STREAM = 1 << 16;
    private static final int SUM = FuzzStreamsService.SUM.index();
    private static final int MIRROR = FuzzStreamsService.MIRROR.index();
    private static final int IGNORE = FuzzStreamsService.IGNORE.index();
    private static final byte[] NONE = {};

    private static Script bound() {
        return new Script(StreamSessionFuzz.BINDS);
    }

    private static void ends(String why, Script script) {
        String ended = StreamSessionFuzz.end(script.bytes());
        assertNotNull(ended, "the session lives on; expected: " + why);
        assertTrue(ended.contains(why), ended);
    }

    private static void livesOn(Script script) {
        assertNull(StreamSessionFuzz.end(script.bytes()));
    }

    private static byte[] line(String text) {
        byte[] element = StreamSessionFuzz.bytes(out -> out.writeString(text));
        return StreamSessionFuzz.bytes(out -> {
            out.writeInt(element.length);
            for (byte each : element) {
                out.writeByte(each);
            }
        });
    }

    @BeforeEach
    void forgetsWhatOtherTestsBroke() { // on purpose
        FuzzCheck.forget();
        StreamSessionFuzz.fuzzerInitialize();
    }

    @Test
    void aClientThatKeepsTheRulesIsServed() {
        livesOn(bound().open(STREAM, SUM).piece(Script.DATA, 0, STREAM, 0, new byte[32])
                .piece(Script.END, 0, STREAM, 0).open(STREAM | 1, MIRROR)
                .piece(Script.DATA, 0, STREAM | 1, 0, line("a line")).piece(Script.END, 0, STREAM | 1, 0));
    }

    @Test
    void aClientThatSaysNothingOfTrailersIsSentNone() {
        int how = StreamSessionFuzz.BINDS | StreamSessionFuzz.PUTS_TRAILERS;
        livesOn(new Script(how)); // and serves a good call
        assertEquals(1, StreamSessionFuzz.trailers);
        livesOn(new Script(how | StreamSessionFuzz.TAKES_NO_TRAILERS));
        assertEquals(0, StreamSessionFuzz.trailers);
    }

    @Test
    void pieceCreditsBeyondTheWindowEndASession() {
        ends("peer grants more than the window: credits=65543", bound().piece(Script.CREDIT, 0xffff, 0, 0));
        ends("peer grants more than the window: credits=9", bound().piece(Script.CREDIT, 1, 0, 0));
        ends("peer grants more than the window", bound().open(STREAM, SUM).piece(Script.DATA, 8, STREAM, 0));
    }

    @Test
    void piecesBeyondThoseGrantedEndASession() {
        Script deaf = new Script(StreamSessionFuzz.BINDS | StreamSessionFuzz.DEAF);
        for (int i = 0; i < 7; i++) { // behind that which binds
            deaf.piece(Script.DATA, 0, STREAM, 0, new byte[8]);
        }
        livesOn(deaf);
        ends("peer sends more pieces than it was granted: limit=8", deaf.piece(Script.DATA, 0, STREAM, 0));
    }

    @Test
    void elementsBeyondTheWindowEndASession() {
        Script flood = bound().open(STREAM, MIRROR);
        for (int i = 0; i < 120; i++) {
            flood.piece(Script.DATA, 0, STREAM, 0, line("x".repeat(100)));
        }
        ends("peer sends more than its window: bytes=", flood);
    }

    @Test
    void windowsBeyondTheirLimitEndASession() {
        for (int more : new int[] {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1}) {
            ends("peer grants more than its window: bytes=" + more,
                    bound().open(STREAM, MIRROR).turn().piece(Script.WINDOW, 0, STREAM, more));
        }
        livesOn(bound().open(STREAM, SUM).turn().piece(Script.WINDOW, 0, STREAM, -1)); // it sends no elements
    }

    @Test
    void elementsBehindTheirEndEndASession() {
        ends("peer sends elements behind their end: number=10000 bytes=8", bound().open(STREAM, MIRROR)
                .piece(Script.END, 0, STREAM, 0).piece(Script.DATA, 0, STREAM, 0, new byte[8]));
    }

    @Test
    void anEndBehindTheEndEndsASession() {
        ends("peer ends a stream twice: number=10000", bound().open(STREAM, MIRROR)
                .piece(Script.END, 0, STREAM, 0).piece(Script.END, 0, STREAM, 0));
        byte[] error = {13, 0, 0, 0, 0, 0, 0};
        ends("peer ends a stream twice: number=10000", bound().open(STREAM, MIRROR)
                .piece(Script.END, 0, STREAM, 0).piece(Script.ERROR, 0, STREAM, error.length, error));
    }

    @Test
    void elementsLongerThanTheWindowEndASession() {
        for (int length : new int[] {-1, Integer.MAX_VALUE, StreamSessionFuzz.STREAM_WINDOW - 3}) {
            ends("element is longer than the window: bytes=" + length, bound().open(STREAM, MIRROR).turn().piece(
                    Script.DATA, 0, STREAM, 0, StreamSessionFuzz.bytes(out -> out.writeInt(length))));
        }
    }

    @Test
    void piecesThatSayAnotherLengthEndASession() {
        for (int length : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 9, StreamSessionFuzz.PIECE_BYTES + 1}) {
            ends("message makes no sense: kind=3 length=" + length,
                    bound().open(STREAM, SUM).lies(Script.DATA, 0, STREAM, length, 0, new byte[8]));
        }
    }

    @Test
    void messagesLongerThanTheirLimitEndASession() {
        for (int rest : new int[] {-1, Integer.MAX_VALUE, (1 << 20) + 1, 3}) {
            ends("message is longer than the limit: bytes=" + rest,
                    bound().piece(Script.OPEN, 0, STREAM, rest, new byte[4]));
        }
    }

    @Test
    void piecesThatMakeNoMessageEndASession() {
        ends("pieces do not make a message: kind=2 of=2 rest=9 expected=6", bound()
                .piece(Script.OPEN, 0, STREAM, 10, new byte[4]).piece(Script.OPEN, 0, STREAM, 9, new byte[4]));
        ends("pieces do not make a message: kind=6 of=2", bound()
                .piece(Script.OPEN, 0, STREAM, 10, new byte[4]).piece(Script.ERROR, 0, STREAM, 6, new byte[4]));
    }

    @Test
    void numbersThatCannotBeEndASession() {
        ends("no stream can be opened: number=" + (STREAM | 1024), bound().open(STREAM | 1024, SUM));
        ends("no stream can be opened: number=5", bound().open(5, SUM));
        ends("no stream can be opened: number=" + 2 * STREAM, bound().open(STREAM, MIRROR).open(2 * STREAM, MIRROR));
        ends("message makes no sense: kind=2", bound().open(0, SUM));
    }

    @Test
    void whatIsSaidOfAStreamThatIsNotThereIsDropped() {
        for (int kind : new int[] {
            Script.DATA, Script.END, Script.RESULT, Script.ERROR, Script.CANCEL, Script.WINDOW}) {
            livesOn(bound().piece(kind, 0, STREAM, 4, new byte[4]).piece(kind, 0, -1, 4, new byte[4]));
        }
    }

    @Test
    void kindsThatAreNoneEndASession() {
        for (int kind : new int[] {0, 12, 255}) {
            ends("message makes no sense: kind=" + kind, bound().open(STREAM, SUM).piece(kind, 0, STREAM, 0));
        }
        for (int kind : new int[] {0, Script.DATA, Script.END, Script.CANCEL, Script.WINDOW, Script.RESULT}) {
            ends("message makes no sense: kind=" + kind, bound().piece(kind, 0, 0, 0));
        }
        ends("message makes no sense: kind=11", bound().open(STREAM, SUM).piece(Script.TRAILERS, 0, STREAM, 0));
        ends("message makes no sense: kind=5", bound().open(STREAM, SUM).piece(Script.RESULT, 0, STREAM, 0));
    }

    @Test
    void aSecondOpeningOfAStreamEndsASession() {
        ends("message makes no sense: kind=2", bound().open(STREAM, MIRROR).open(STREAM, MIRROR));
        Script refused = new Script(0);
        for (int i = 0; i < 8; i++) { // whose answers use up the credits
            refused.open(STREAM | i, MIRROR);
        }
        ends("message makes no sense: kind=2", refused.open(STREAM | 9, SUM).open(STREAM | 9, SUM));
    }

    @Test
    void aFailureBehindARefusedCallIsNoOffence() {
        Script refused = new Script(0);
        for (int i = 0; i < 8; i++) {
            refused.open(STREAM | i, MIRROR);
        }
        byte[] error = {13, 0, 0, 0, 0, 0, 0};
        livesOn(refused.open(STREAM | 9, SUM).piece(Script.ERROR, 0, STREAM | 9, error.length, error));
    }

    @Test
    void servicesOutOfOrderEndASession() {
        ends("service number=1 expected=0", new Script(0).piece(Script.BIND, 0, 0, 2, (byte) 1, (byte) 0));
        ends("service number=65535 expected=1", bound().piece(Script.BIND, 0, 0, 2, (byte) -1, (byte) -1));
    }

    @Test
    void anEmptyMessageOfAnyKindEndsNothingElse() {
        for (int kind : new int[] {Script.BIND, Script.OPEN, Script.ERROR}) {
            Script empty = bound().open(STREAM, IGNORE).open(2 * STREAM | 1, MIRROR);
            StreamSessionFuzz.end(empty.piece(kind, 0, kind == Script.BIND ? 0 : 2 * STREAM | 1, 0, NONE).bytes());
        }
    }

    @Test
    void aConversationThatIsCutOrFlippedAnywhereLeavesNothing() {
        byte[] whole = conversation();
        for (int i = 1; i <= whole.length; i++) {
            StreamSessionFuzz.end(Arrays.copyOf(whole, i));
        }
        long seed = Long.getLong("jvrpc.seed", System.nanoTime());
        System.out.println("-Djvrpc.seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 1; i < whole.length; i++) {
            byte[] flipped = whole.clone();
            flipped[i] ^= (byte) (1 << random.nextInt(8));
            StreamSessionFuzz.end(flipped);
            flipped[i] = (byte) random.nextInt();
            StreamSessionFuzz.end(flipped);
        }
    }

    @Test
    void aSessionThatAnotherThreadEndsBesideAnyPieceLeavesNothing() {
        byte[] open = StreamSessionFuzz.open(SUM);
        Script script = bound().open(STREAM, MIRROR);
        for (int at = 0; at < open.length; at += 5) {
            byte[] part = Arrays.copyOfRange(open, at, Math.min(at + 5, open.length));
            script.piece(Script.OPEN, 0, STREAM | 1, open.length - at, part);
        }
        script.piece(Script.DATA, 0, STREAM | 1, 0, new byte[8]).piece(Script.DATA, 0, STREAM, 0, line("a line"))
                .piece(Script.END, 0, STREAM | 1, 0);
        livesOn(script);
        for (int at = 1; at < 9; at++) {
            assertEquals("ended elsewhere", StreamSessionFuzz.end(script.bytes(), at), "piece=" + at);
        }
    }

    static byte[] conversation() {
        return bound().open(STREAM, SUM).open(STREAM | 1, MIRROR).open(STREAM | 2, IGNORE)
                .piece(Script.DATA, 1, STREAM, 0, new byte[16])
                .piece(Script.DATA, 0, STREAM | 1, 0, line("one line")).piece(Script.DATA, 0, STREAM, 0, new byte[8])
                .piece(Script.WINDOW, 2, STREAM | 1, 24).piece(Script.END, 0, STREAM, 0)
                .piece(Script.DATA, 0, STREAM | 1, 0, line("one more line")).piece(Script.CANCEL, 0, STREAM | 1, 0)
                .piece(Script.CREDIT, 1, 0, 0).bytes();
    }

    @Test
    void aPlaceThatIsTakenAgainBeforeItsElementsHaveLeftKeepsNoMemory() {
        byte[] blobs = StreamSessionFuzz.bytes(out -> {
            out.writeShort((short) 0);
            out.writeShort((short) FuzzStreamsService.BLOBS.index());
            Extension.write(out, 0, null);
            out.writeShort((short) 20); // more than there is room for: their handler has ended before they have left
            out.writeByte((byte) 200);
        });
        livesOn(bound().piece(Script.OPEN, 0, STREAM, blobs.length, blobs).turn().open(2 * STREAM, SUM));
    }
}
