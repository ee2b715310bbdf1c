package org.jvrpc.runtime.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.thread.Wakes;

/** What a server that goes tells its clients when all is answered. */
class LastWordTest {

    private final StillServer server = new StillServer();
    private final ServerPoller poller = new ServerPoller(server.core, new Wakes(), IdleStrategy.SPIN, "still");

    @AfterEach
    void close() {
        server.close();
    }

    /** What a client hears no answer of behind the second word goes to another server. */
    @Test
    void whenAllCallsAreAnsweredThatWereTakenEachIsToldSo() {
        SilentClient idle = new SilentClient();
        poller.add(new ServerSession(server.core, poller, 1, idle, server.bodies,
                Hello.request(Protocol.CALLS, 4, 64, 1 << 20), Protocol.CALLS.oneWayCredits(4)));
        poller.add(server.session);
        poller.pollAll();
        server.open();
        server.call(1, CallsService.ECHO_HEAVY, StillServer.bytes(writer -> writer.writeBytes(new byte[] {1})));
        poller.pollAll();
        poller.goAway();
        poller.housekeeping();
        for (int i = 0; i < 3; i++) {
            poller.pollAll();
        }
        assertEquals(List.of(RpcHeader.GO_AWAY), idle.controls, "a call is under way");
        server.executor.run();
        for (int i = 0; i < 9; i++) {
            poller.pollAll();
        }
        assertEquals(List.of(RpcHeader.GO_AWAY, RpcHeader.GO_AWAY), idle.controls);
        List<Integer> kinds = server.peer.sent.stream().map(StillServer.Sent::kind).toList();
        assertEquals(List.of(RpcHeader.GO_AWAY, RpcHeader.RESPONSE, RpcHeader.GO_AWAY),
                kinds.subList(kinds.size() - 3, kinds.size()));
    }
}
