package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;

/** Idle clients over a wire that is cut. */
@NeedsRdmaDevices
class RdmaKeepAliveTest {

    private static final Duration IDLE = Duration.ofMillis(500);
    private static int port = 26_500;

    @ParameterizedTest(name = "{0} driver")
    @ValueSource(strings = {"user", "generic"})
    void whatAVanishedIdleClientHadComesBack(String driver) {
        try (RdmaWire wire = RdmaWire.make(3);
                RpcServer server = RpcServer.builder().bind(wire.server(port++, driver)).keepAlive(IDLE)
                        .service(Calls.class, new CallsImpl()).start();
                RpcClient client = RpcClient.builder(wire.client(server.address())).reconnect(false).connect()) {
            assertEquals(3, client.stub(Calls.class).add(1, 2));
            assertFalse(Cores.of(server).budget().isEmpty());
            wire.disturb("loss 100%"); // whose ends both think that they are up
            Await.until("the vanished client's session to be freed", () -> Cores.of(server).budget().isEmpty());
        }
    }
}
