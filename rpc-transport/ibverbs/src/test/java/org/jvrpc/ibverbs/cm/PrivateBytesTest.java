package org.jvrpc.ibverbs.cm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.ConnectionException.Reason;

class PrivateBytesTest {

    private static final int ON_THE_WIRE = 148;

    @Test
    void everyLengthSurvivesThePaddingOfTheKernel() {
        for (int length = 0; length <= PrivateBytes.MAX_ANSWER; length++) {
            byte[] data = new byte[length];
            Arrays.fill(data, (byte) length);
            byte[] padded = Arrays.copyOf(PrivateBytes.wrap(data, PrivateBytes.MAX_ANSWER), ON_THE_WIRE);
            assertArrayEquals(data, PrivateBytes.unwrap(padded));
        }
    }

    @Test
    void dataThatIsTooLongIsRefusedWithItsLength() {
        String message = assertThrows(IllegalArgumentException.class,
                () -> PrivateBytes.wrap(new byte[56], PrivateBytes.MAX_REQUEST)).getMessage();
        assertTrue(message.contains("bytes=56 most=55"), message);
    }

    @Test
    void zerosAreNobodysAndAStrangersBytesAreAllThere() {
        assertNull(PrivateBytes.unwrap(new byte[0]));
        assertNull(PrivateBytes.unwrap(new byte[56]));
        byte[] strange = {100, 1, 2};
        assertArrayEquals(strange, PrivateBytes.unwrap(strange));
        byte[] later = {0, 0, 7};
        assertArrayEquals(later, PrivateBytes.unwrap(later));
    }

    @Test
    void aRejectionTellsAnAbsentListenerFromOneThatSaysNo() {
        assertEquals(Reason.UNREACHABLE, Rejection.of("rdma://h:1", 8, null).reason());
        assertEquals(Reason.UNREACHABLE, Rejection.of("rdma://h:1", 28, null).reason());
        assertEquals(Reason.REJECTED, Rejection.of("rdma://h:1", 28, new byte[0]).reason());
        assertEquals(Reason.TIMEOUT, Rejection.of("rdma://h:1", 4, null).reason());
        String stale = Rejection.of("rdma://h:1", 10, null).getMessage();
        assertTrue(stale.contains("rdma://h:1") && stale.contains("10 (stale connection"), stale);
    }
}
