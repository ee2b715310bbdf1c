package org.jvrpc.ibverbs.interop;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.jvrpc.ibverbs.NeedsRdmaDevice;

/** Over a wire that loses, repeats, reorders and damages packets. */
@NeedsRdmaDevice
final class RoceFaultInteropTest extends RoceInterop {

    private static Stream<Object[]> cases() {
        return Stream.of("loss 1%", "duplicate 5%", "delay 1ms reorder 25% 50%", "corrupt 1%")
                .flatMap(netem -> SUITES.stream().map(suite -> new Object[] {suite, netem}));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("cases")
    @Timeout(LIMIT_SECONDS + 60)
    void everyByteIsRightOverAWireThatHasFaults(Class<?> suite, String netem) throws IOException {
        remote.disturb(netem);
        run(suite, false, DATAGRAM);
    }
}
