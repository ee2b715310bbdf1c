package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.verbs.ConnectionException;

/** Who may connect at all. */
class AdmissionTest {

    private final String address = ShmFolder.address();

    @Test
    void aServerOfCallsRefusesWhomItsAdmissionRefuses() {
        List<String> seen = new ArrayList<>();
        Admission second = host -> {
            seen.add(String.valueOf(host));
            return seen.size() == 2 ? "one at a time, host=" + host : null;
        };
        try (RpcServer server = RpcServer.builder().bind(address).service(Calls.class, new CallsImpl())
                .admission(second).start(); RpcClient first = RpcClient.connect(server.address())) {
            RpcException refused = assertThrows(RpcException.class, () -> RpcClient.connect(address));
            assertEquals(Status.RESOURCE_EXHAUSTED, refused.status());
            assertTrue(refused.getMessage().contains("one at a time, host=null"), refused.getMessage());
            assertEquals(3, first.stub(Calls.class).add(1, 2));
            RpcClient.connect(address).close();
        }
        assertEquals(List.of("null", "null", "null"), seen);
    }

    /** It gives up while the server looks whether to admit it. */
    @Test
    void aClientThatLeavesBeforeItIsServedLeavesNothing() {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch left = new CountDownLatch(1);
        Admission slow = host -> {
            asked.countDown();
            Await.latch("the client to leave", left);
            return null;
        };
        try (RpcServer server = RpcServer.builder().bind(address).service(Calls.class, new CallsImpl())
                .limits(new SessionLimits().maxSessions(1)).admission(slow).start();
                RawClient hasty = new RawClient(server.address())) {
            assertThrows(ConnectionException.class, () -> hasty.connect(server.address(),
                    RawClient.hello(RpcHeader.VERSION, RawClient.SLOTS, RawClient.SLOT_BYTES).encode(), 200_000_000));
            Await.latch("the server to look", asked);
            left.countDown();
            Await.until("its place to be another's", () -> {
                try (RpcClient next = RpcClient.connect(address)) {
                    return next.stub(Calls.class).add(1, 2) == 3;
                } catch (RpcException e) {
                    return false;
                }
            });
        }
    }

    @Test
    void anAdmissionThatThrowsRefusesThatPeerOnly() {
        List<InetAddress> seen = new ArrayList<>();
        Admission broken = host -> {
            seen.add(host);
            if (seen.size() == 1) {
                throw new AssertionError("admission is broken");
            }
            return null;
        };
        MessageHandler handler = (session, frame) -> session.send(frame);
        try (MessageServer server = MessageServer.builder().bind(address).handler(() -> handler).admission(broken)
                .start()) {
            RpcException refused = assertThrows(RpcException.class,
                    () -> MessageClient.builder(server.address(), handler).connect());
            assertEquals(Status.RESOURCE_EXHAUSTED, refused.status());
            assertTrue(refused.getMessage().contains("admission is broken"), refused.getMessage());
            MessageClient.builder(address, handler).connect().close();
        }
    }
}
