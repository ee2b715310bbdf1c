package org.jvrpc.ibverbs.interop;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.ibverbs.NeedsRdmaDevice;

/** Over IPv4 and IPv6. */
@NeedsRdmaDevice
final class RoceInteropTest extends RoceInterop {

    @ParameterizedTest(name = "IPv{0}")
    @ValueSource(ints = {4, 6})
    @Timeout(LIMIT_SECONDS + 60)
    void toolsTalkToASoftwareRnicOverUdp(int ip) throws IOException {
        run(SUITES, ip == 6, "none");
    }

    /** Over IPv4 alone: perftest asks for addresses of no other kind then. */
    @Test
    @Timeout(LIMIT_SECONDS + 60)
    void toolsConnectByTheConnectionManager() throws IOException {
        run(List.of(PerftestByCm.class), false, "none");
    }
}
