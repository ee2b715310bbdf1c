package org.jvrpc.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;

/** Object graphs are off where the peer may be anybody's, until both sides say otherwise. */
class GraphsOverNetworksTest {

    private static RpcServer serve(String address, boolean graphs) {
        return RpcServer.builder().bind(address).service(Calls.class, new CallsImpl()).objectGraphs(graphs).start();
    }

    private static Calls.Node node() {
        Calls.Node node = new Calls.Node();
        node.name = "a name";
        return node;
    }

    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true"})
    void bothSidesHaveToAllowThem(boolean byServer, boolean byClient) {
        try (RpcServer server = serve("tcp://127.0.0.1:0", byServer);
                RpcClient client = RpcClient.builder(server.address()).objectGraphs(byClient).connect()) {
            Calls calls = client.stub(Calls.class);
            RpcException e = assertThrows(RpcException.class, () -> calls.graph(node()));
            assertEquals(Status.FAILED_PRECONDITION, e.status(), e.getMessage());
            assertTrue(e.getMessage().contains("objectGraphs(true)"), e.getMessage());
            assertEquals(5, calls.add(2, 3), "other methods are called");
        }
    }

    @Test
    void whereBothAllowThemTheyGo() {
        try (RpcServer server = serve("tcp://127.0.0.1:0", true);
                RpcClient client = RpcClient.builder(server.address()).objectGraphs(true).connect()) {
            assertEquals(node(), client.stub(Calls.class).graph(node()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"inproc", "unix"})
    void betweenPeersOfOneHostTheyGo(String scheme) {
        String address = scheme.equals("unix") ? new UnixUnderTest() { }.newAddress() : "inproc://graphs";
        try (RpcServer server = serve(address, false); RpcClient client = RpcClient.connect(server.address())) {
            assertEquals(node(), client.stub(Calls.class).graph(node()));
        }
    }
}
