package org.jvrpc.runtime.stream.piece;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.ErrorDetails;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** What an ERROR says, to peers of any version and from peers that say anything. */
class FailureTest {

    private static final ErrorDetails DETAILS =
            ErrorDetails.of("FULL", "a.org").with("k", "v").withRetryAfter(Duration.ofSeconds(2));
    private static final RpcException CAUSE = new RpcException(Status.ABORTED, "why").withDetails(DETAILS);
    private static final int PLAIN_BYTES = Failure.of(Status.ABORTED, CAUSE.withDetails(null), false).limit();

    private static ByteBuffer first(ByteBuffer whole, int length) {
        return ByteBuffer.allocateDirect(length).put(0, whole, 0, length);
    }

    @Test
    void statusTextDetailsAndWhetherAHandlerRanComeOutAgain() {
        RpcException ran = Failure.read(Failure.of(Status.INTERNAL, CAUSE, false));
        assertEquals(Status.INTERNAL, ran.status());
        assertEquals("why", ran.getMessage());
        assertEquals(DETAILS, ran.details());
        assertTrue(ran.mayHaveRun());
        RpcException refused = Failure.read(Failure.of(Status.ABORTED, CAUSE, true));
        assertEquals(DETAILS, refused.details());
        assertFalse(refused.mayHaveRun());
    }

    @Test
    void aPeerThatKnowsOfNoDetailsReadsStatusAndText() {
        ByteBuffer bytes = Failure.of(Status.ABORTED, CAUSE, false);
        WireReader in = new WireReader();
        in.reset(bytes, 0, bytes.limit(), null);
        assertEquals(Status.ABORTED.code(), in.readByte());
        assertEquals(0, in.readShort());
        assertEquals("why", in.readString());
    }

    @Test
    void aFailureOfAPeerThatKnowsOfNoDetailsHasNone() {
        ByteBuffer bytes = ByteBuffer.allocateDirect(64);
        WireWriter out = new WireWriter();
        out.reset(bytes, 0, 64, null, null);
        out.writeByte((byte) Status.ABORTED.code());
        out.writeShort((short) 0);
        out.writeString("why");
        RpcException read = Failure.read(bytes.limit(out.length()));
        assertEquals("why", read.getMessage());
        assertNull(read.details());
    }

    @Test
    void whatALaterVersionAppendsIsNotRead() {
        ByteBuffer whole = Failure.of(Status.ABORTED, CAUSE, false);
        ByteBuffer longer = ByteBuffer.allocateDirect(whole.limit() + 99).put(0, whole, 0, whole.limit());
        assertEquals(DETAILS, Failure.read(longer).details());
    }

    @Test
    void detailsThatAreCutAnywhereAreRefused() {
        ByteBuffer whole = Failure.of(Status.ABORTED, CAUSE, false);
        assertNull(Failure.read(first(whole, PLAIN_BYTES)).details());
        for (int length = PLAIN_BYTES + 1; length < whole.limit(); length++) {
            ByteBuffer cut = first(whole, length);
            assertThrows(RuntimeException.class, () -> Failure.read(cut), "length=" + length);
        }
        ByteBuffer cut = first(whole, whole.limit() - 1);
        assertEquals("details of a failure are cut off: bytes=" + (whole.limit() - PLAIN_BYTES - 2) + " there="
                + (whole.limit() - PLAIN_BYTES - 3),
                assertThrows(IllegalStateException.class, () -> Failure.read(cut)).getMessage());
    }

    @Test
    void bytesOfAnyKindAreReadOrRefused() {
        long seed = Long.getLong("jvrpc.seed", System.nanoTime());
        System.out.println("-Djvrpc.seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        ByteBuffer whole = Failure.of(Status.ABORTED, CAUSE, false);
        for (int i = 0; i < 20_000; i++) {
            ByteBuffer any = first(whole, whole.limit());
            for (int flips = random.nextInt(1, 4); flips > 0; flips--) {
                any.put(random.nextInt(any.limit()), (byte) random.nextInt());
            }
            try {
                Failure.read(any);
            } catch (RpcException | IllegalStateException e) {
                assertTrue(e.getMessage() != null, "seed=" + seed + " round=" + i);
            }
        }
    }

    @Test
    void trailersLongerThanTheirLimitAreRefused() {
        ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 17);
        assertEquals("trailers are longer than the limit: bytes=65536 limit=65535",
                assertThrows(IllegalStateException.class, () -> Beside.read(bytes, 0, 1 << 16)).getMessage());
    }
}
