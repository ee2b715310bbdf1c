package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.verbs.RegionBody;

/** A server with nine clients that live and one whose host or network does not answer. */
class SlowPeerTest {

    private static final int LIVING = 9;
    private static final int CALLS = 30;
    private static final int SLOT = 1;

    private final CallsImpl impl = new CallsImpl();
    private final List<RpcClient> clients = new ArrayList<>();
    private final List<Calls> living = new ArrayList<>();
    private RpcServer server;
    private RawClient dead;
    private ModelDevices.Qp qp;
    private int base;
    private int generation;

    @BeforeEach
    void connect() {
        server = RpcServer.builder().bind(ShmFolder.address().replace("shm://", "model://"))
                .service(Calls.class, impl).idle(IdleStrategy.BLOCK).keepAlive(Duration.ofHours(1)).start();
        for (int i = 0; i < LIVING; i++) {
            RpcClient client = RpcClient.builder(server.address()).slots(4).connect();
            clients.add(client);
            living.add(client.stub(Calls.class));
        }
        dead = new RawClient(server.address()).connect(server.address());
        qp = ModelDevices.last();
        base = dead.open(new CallsService(), 0);
    }

    @AfterEach
    void close() {
        dead.close();
        clients.forEach(RpcClient::close);
        server.close();
    }

    /** Has each living client make calls; returns when all are answered. */
    private void theLivingCall() {
        List<CompletableFuture<Boolean>> callers = new ArrayList<>();
        for (Calls calls : living) {
            callers.add(Await.start(() -> {
                for (int i = 0; i < CALLS; i++) {
                    assertEquals(i + 1, calls.add(i, 1));
                }
                return true;
            }));
        }
        callers.forEach(Await::join);
    }

    private void request(int length) {
        dead.request(SLOT, ++generation, base + CallsService.NOTHING.index(), length);
    }

    private Status awaitAnswer() {
        dead.awaitMessage();
        long first = dead.link().first();
        assertEquals(RpcHeader.RESPONSE, RpcHeader.kind(first));
        assertEquals(RpcHeader.callId(SLOT, generation), RpcHeader.callId(first));
        return Status.ofCode(RpcHeader.method(first));
    }

    @Test
    void answersThatFindNoRoomWaitAndNobodyWaitsForThem() {
        for (int round = 0; round < 2; round++) {
            qp.full = true;
            int before = impl.calls.get();
            request(0);
            Await.until("the handler", () -> impl.calls.get() > before);
            theLivingCall();
            assertTrue(dead.isConnected(), "the living were served only after the dead was given up");
            qp.full = false;
            assertEquals(Status.OK, awaitAnswer());
        }
    }

    /** A wake-up before the post may come before the peer goes to sleep. */
    @Test
    void theServerIsWokenBehindARequestThatHadToWait() {
        try (RawClient sender = new RawClient("model://sender").connect(server.address())) {
            ModelDevices.Qp own = ModelDevices.lastButOne();
            int method = sender.open(new CallsService(), 0) + CallsService.NOTHING.index();
            own.full = true;
            sender.request(SLOT, 1, method, 0);
            assertFalse(sender.link().poll());
            own.full = false;
            assertFalse(sender.link().poll());
            assertFalse(sender.link().isBehind());
            assertEquals(0, own.unwoken.get(), "posted behind the wake-up");
            sender.awaitMessage();
        }
    }

    @Test
    void aClientThatTakesNoAnswersForTooLongIsEndedAndNoOther() {
        qp.full = true;
        request(0);
        Await.until("its session to end", () -> !dead.isConnected());
        theLivingCall();
    }

    @Test
    void aLongRequestThatCannotBeReadWaitsAndNobodyWaitsForIt() {
        qp.readsHang = true;
        RegionBody body = dead.bodies().take(100_000);
        dead.link().describe(SLOT, body);
        int method = base + CallsService.COUNT.index();
        dead.send(SLOT, RpcHeader.first(RpcHeader.REQUEST, RpcHeader.RENDEZVOUS, method,
                RpcHeader.callId(SLOT, ++generation)), RpcHeader.second(50_000, 0, 0), RpcHeader.DESCRIPTOR_BYTES);
        body.buffer().order(java.nio.ByteOrder.LITTLE_ENDIAN).putInt(0, 49_000);
        theLivingCall();
        assertTrue(dead.isConnected(), "the living were served only after the dead was given up");
        qp.letReadsGo();
        assertEquals(Status.OK, awaitAnswer());
        WireReader reader = new WireReader();
        reader.reset(dead.link().payload(), dead.link().payloadOffset() + RpcHeader.BYTES, 8, null);
        assertEquals(49_000, reader.readLong());
    }

    @Test
    void aSessionWhoseMemoryFailsEndsAloneAndTheServerGoesOn() {
        qp.armFails = new InternalError("a fault occurred in an unsafe memory access operation");
        living.get(0).nothing(); // after which the poller sleeps again, for which it arms all
        Await.until("its session to end", () -> !dead.isConnected());
        theLivingCall();
        try (RpcClient late = RpcClient.connect(server.address())) {
            assertEquals(3, late.stub(Calls.class).add(1, 2));
        } catch (RpcException e) {
            throw new AssertionError("a latecomer is not served", e);
        }
    }
}
