package org.jvrpc.softrnic.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.mlx5.Cqe;

/** Where in a CQE a message lies. */
final class CqFormatTest extends CqFixture {

    @ParameterizedTest
    @CsvSource({
        "SHARED,64,0,4", "SHARED,64,32,4", "SHARED,64,33,0",
        "SHARED,128,32,4", "SHARED,128,33,8", "SHARED,128,64,8", "SHARED,128,65,12", "SHARED,128,96,12",
        "SHARED,128,97,0",
        "EXCLUSIVE,64,32,4", "EXCLUSIVE,64,33,0",
        "CROSS_CHANNEL,64,0,0", "CROSS_CHANNEL,64,1,0", "CROSS_CHANNEL,128,96,12",
    })
    void messagesThatFitInACqeAreToldToTheByte(Kind kind, int cqeBytes, int bytes, int format) {
        assertEquals(format, make(kind, cqeBytes, false).format(bytes));
    }

    @ParameterizedTest
    @CsvSource({"128,0,false", "128,-1,false", "128,1,true", "128,56,true", "128,57,false", "64,1,false"})
    void messagesThatFitInFrontOfATailAreToldToTheByte(int cqeBytes, int bytes, boolean fits) {
        assertEquals(fits, make(Kind.EXCLUSIVE, cqeBytes, false).fitsLine(bytes));
    }

    @Test
    void theTailOfAMessageInFrontOfItSaysItsBytes() {
        CqWriter writer = make(Kind.EXCLUSIVE, 128, false);
        writer.publishLine(writer.claim(), 0x12345, 56);
        assertEquals(Cqe.tail(56, QPN, 0x2345, 0, Cqe.RESP_SEND, Cqe.INLINE_96), tail(0, 128));
        assertEquals(56, Cqe.lineBytes(tail(0, 128)));
    }
}
