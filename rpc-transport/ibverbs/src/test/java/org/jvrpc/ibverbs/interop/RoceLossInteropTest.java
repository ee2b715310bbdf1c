package org.jvrpc.ibverbs.interop;

import java.io.IOException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.ibverbs.NeedsRdmaDevice;

/** Over a wire that loses and damages packets. */
@NeedsRdmaDevice
final class RoceLossInteropTest extends RoceInterop {

    @ParameterizedTest(name = "IPv{0} {1}")
    @CsvSource({"4,loss 1%", "6,loss 1%", "4,corrupt 1%", "6,corrupt 1%"})
    @Timeout(LIMIT_SECONDS + 60)
    void everyByteIsRightThoughPacketsDoNotArrive(int ip, String netem) throws IOException {
        runAll(netem, ip);
    }
}
