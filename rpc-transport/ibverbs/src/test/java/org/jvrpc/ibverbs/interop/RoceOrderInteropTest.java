package org.jvrpc.ibverbs.interop;

import java.io.IOException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.ibverbs.NeedsRdmaDevice;

/** Over a wire that repeats and reorders packets. */
@NeedsRdmaDevice
final class RoceOrderInteropTest extends RoceInterop {

    @ParameterizedTest(name = "IPv{0} {1}")
    @CsvSource({"4,duplicate 5%", "6,duplicate 5%", "4,delay 1ms reorder 25% 50%", "6,delay 1ms reorder 25% 50%"})
    @Timeout(LIMIT_SECONDS + 60)
    void everyByteIsRightThoughPacketsComeTwiceOrLate(int ip, String netem) throws IOException {
        runAll(netem, ip);
    }
}
