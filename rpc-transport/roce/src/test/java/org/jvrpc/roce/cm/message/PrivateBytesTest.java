package org.jvrpc.roce.cm.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PrivateBytesTest {

    private static byte[] padded(byte[] framed) {
        return Arrays.copyOf(framed, Req.PRIVATE_BYTES);
    }

    @Test
    void whatIsWrappedComesOutWithoutThePad() {
        for (int length : new int[] {0, 1, PrivateBytes.MAX_REQUEST}) {
            byte[] data = new byte[length];
            Arrays.fill(data, (byte) 7);
            byte[] padded = padded(PrivateBytes.wrap(data, PrivateBytes.MAX_REQUEST));
            assertArrayEquals(data, PrivateBytes.unwrap(padded));
        }
    }

    @Test
    void zerosAreNobodysAndWhatIsNotWrappedIsAsItCame() {
        byte[] zeros = new byte[Req.PRIVATE_BYTES];
        assertNull(PrivateBytes.unwrap(zeros));
        assertArrayEquals(new byte[0], PrivateBytes.unwrapOrEmpty(zeros));
        byte[] strangers = zeros.clone();
        strangers[1] = 1;
        assertArrayEquals(strangers, PrivateBytes.unwrap(strangers));
        strangers[0] = (byte) (Req.PRIVATE_BYTES + 1);
        assertArrayEquals(strangers, PrivateBytes.unwrap(strangers));
    }

    @Test
    void whatIsTooLongIsRefused() {
        byte[] data = new byte[PrivateBytes.MAX_REQUEST + 1];
        assertThrows(IllegalArgumentException.class, () -> PrivateBytes.wrap(data, PrivateBytes.MAX_REQUEST));
    }
}
