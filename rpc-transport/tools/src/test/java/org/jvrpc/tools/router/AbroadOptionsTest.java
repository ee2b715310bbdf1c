package org.jvrpc.tools.router;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What is said of other hosts. */
class AbroadOptionsTest {

    private static final String TLS = "chain=/c.pem&key=/k.pem&trust=/t.pem";

    private static AbroadOptions read(String... arguments) {
        AbroadOptions options = new AbroadOptions();
        new CommandLine(options).parseArgs(arguments);
        return options;
    }

    private static void assertRefused(String why, String... arguments) {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> read(arguments).settings("h1"));
        assertTrue(e.getMessage().contains(why), e.getMessage());
    }

    @Test
    void whoSaysNothingKnowsNoOtherHost() {
        assertNull(read().settings("h1"));
    }

    @Test
    void aDeviceBelowWithoutAWayToOtherHostsIsRefused() {
        assertRefused("go with --peers", "--below", "roce://127.0.0.1:0");
        assertRefused("go with --peers", "--trusted-fabric");
    }

    @Test
    void aWayToOtherHostsWithoutProofIsRefused() {
        assertRefused("--peers goes with --tls", "--peers", "127.0.0.1:0");
        assertRefused("no chain=FILE", "--peers", "127.0.0.1:0", "--tls", "trust=/t.pem");
        assertRefused("trust=", "--peers", "127.0.0.1:0", "--tls", "chain=/c.pem&key=/k.pem");
    }

    @Test
    void aPlaceThatOthersCannotReachIsRefused() {
        assertRefused("is not HOST:PORT", "--peers", "127.0.0.1", "--tls", TLS);
        assertRefused("is not HOST:PORT", "--peers", "127.0.0.1:70000", "--tls", TLS);
        assertRefused("is no one address", "--peers", "0.0.0.0:4900", "--tls", TLS);
    }
}
