package org.jvrpc.ibverbs.interop;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.jvrpc.ibverbs.NeedsRdmaDevice;

/** Over IPv4 and IPv6. */
@NeedsRdmaDevice
final class RoceInteropTest extends RoceInterop {

    private static Stream<Object[]> cases() {
        return Stream.of(4, 6).flatMap(ip -> SUITES.stream().map(suite -> new Object[] {suite, ip}));
    }

    @ParameterizedTest(name = "{0} IPv{1}")
    @MethodSource("cases")
    @Timeout(LIMIT_SECONDS + 60)
    void toolsTalkToASoftwareRnicOverUdp(Class<?> suite, int ip) throws IOException {
        run(suite, ip == 6, "none");
    }
}
