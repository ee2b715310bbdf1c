package org.jvrpc.api.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

class WireClaimsTest {

    /** A list within a list within a list, each of as many elements as there are bytes behind it, is a lie. */
    @Test
    void countsWithinCountsClaimNoMoreThanAllBytesOnce() {
        String hex = "0b000000 07000000 00 0900000000 00".replace(" ", "");
        WireReader in = Memory.reader(hex);
        assertEquals(11, in.readCount(1));
        RpcException e = assertThrows(RpcException.class, () -> in.readCount(1));
        assertEquals(Status.INTERNAL, e.status());
        assertTrue(e.getMessage().contains("count=7 of elements of at least bytes=1, which others have claimed before"),
                e.getMessage());
    }

    @Test
    void countsOfWhatIsThereAreTakenHoweverDeepTheyLie() {
        WireReader in = Memory.reader("02000000 01000000 07 02000000 0809".replace(" ", "")); // [[7], [8, 9]]
        assertEquals(2, in.readCount(4));
        for (int list = 1; list <= 2; list++) {
            in.descend();
            assertEquals(list, in.readBytes().length);
            in.ascend();
        }
        assertEquals(0, in.remaining());
    }
}
