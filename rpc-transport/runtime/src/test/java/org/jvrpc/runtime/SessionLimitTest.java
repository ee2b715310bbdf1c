package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.client.ClientAudit;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsAsync;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.Descriptor;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.session.SessionBudget;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.verbs.LinkLayout;
import org.jvrpc.runtime.verbs.LinkSize;
import org.jvrpc.runtime.verbs.RegionBody;
import org.jvrpc.runtime.verbs.SessionDomain;
import org.jvrpc.runtime.verbs.VerbsLink;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;

/** What clients may cost a server, and each other. */
class SessionLimitTest {

    private static final int MIB = 1 << 20;

    private final String address = ShmFolder.address();
    private final CallsImpl impl = new CallsImpl();

    private RpcServer serve(SessionLimits limits) {
        return RpcServer.builder().bind(address).service(Calls.class, impl).limits(limits).start();
    }

    private String refused() {
        RpcException e = assertThrows(RpcException.class, () -> RpcClient.connect(address));
        assertEquals(Status.RESOURCE_EXHAUSTED, e.status(), e.getMessage());
        return e.getMessage();
    }

    @Test
    void thereAreNoMoreSessionsThanTheLimitAndOneThatEndsMakesRoom() {
        try (RpcServer server = serve(new SessionLimits().maxSessions(2));
                RpcClient first = RpcClient.connect(server.address())) {
            try (RpcClient second = RpcClient.connect(address)) {
                assertTrue(refused().contains("max sessions 2 reached"));
                assertEquals(3, second.stub(Calls.class).add(1, 2));
            }
            Await.until("a session's end to make room", () -> {
                try (RpcClient third = RpcClient.connect(address)) {
                    return third.stub(Calls.class).add(1, 2) == 3;
                } catch (RpcException e) {
                    return false;
                }
            });
            assertEquals(3, first.stub(Calls.class).add(1, 2));
        }
    }

    @Test
    void sessionsShareTheirMemoryUntilThereIsNotEnoughForTheLeast() {
        List<RpcClient> clients = new ArrayList<>();
        try (RpcServer server = serve(new SessionLimits().sessionMemory(8 * MIB))) {
            String refusal = null;
            while (refusal == null) {
                try {
                    clients.add(RpcClient.connect(server.address()));
                } catch (RpcException e) {
                    assertEquals(Status.RESOURCE_EXHAUSTED, e.status(), e.getMessage());
                    refusal = e.getMessage();
                }
            }
            assertTrue(refusal.contains("max memory of sessions " + 8 * MIB + " bytes reached: used="), refusal);
            assertTrue(clients.size() > 1, () -> "sessions that got memory: " + clients.size());
            for (RpcClient client : clients) {
                assertEquals(3, client.stub(Calls.class).add(1, 2));
            }
        } finally {
            clients.forEach(RpcClient::close);
        }
    }

    @Test
    void aPeerHasNoMoreSessionsThanItsLimit() {
        try (RpcServer server = serve(new SessionLimits().maxSessionsPerPeer(1));
                RpcClient first = RpcClient.connect(server.address())) {
            String message = refused();
            assertTrue(message.contains("max sessions of a peer 1 reached by process "
                    + ProcessHandle.current().pid()), message);
            assertEquals(3, first.stub(Calls.class).add(1, 2));
        }
    }

    @Test
    void clientsGetLessWhenMemoryIsScarceAndAreServedAllTheSame() {
        List<RpcClient> clients = new ArrayList<>();
        try (RpcServer server = serve(new SessionLimits().sessionMemory(4 * MIB))) {
            byte[] bytes = new byte[3000];
            byte[] longer = new byte[100_000];
            for (int i = 0; i < 8; i++) {
                RpcClient client = RpcClient.builder(server.address()).slots(64).slotBytes(4096).connect();
                clients.add(client);
                Calls calls = client.stub(Calls.class);
                assertEquals(3000, calls.echo(bytes).length);
                assertEquals(100_000, calls.echo(longer).length);
            }
            List<CompletableFuture<Boolean>> callers = new ArrayList<>();
            for (RpcClient client : clients) {
                Calls calls = client.stub(Calls.class);
                for (int i = 0; i < 4; i++) {
                    callers.add(Await.start(() -> {
                        for (int n = 0; n < 50; n++) {
                            assertEquals(n + 1, calls.add(n, 1));
                        }
                        return true;
                    }));
                }
            }
            callers.forEach(Await::join);
        } finally {
            clients.forEach(RpcClient::close);
        }
    }

    /** Each was promised more slots than there is memory for when it wants them. */
    @Test
    void clientsThatGetNoMoreSlotsMakeDoWithThoseThatTheyHave() {
        List<RpcClient> clients = new ArrayList<>();
        try (RpcServer server = serve(new SessionLimits().sessionMemory(4 * MIB))) {
            for (int i = 0; i < 24; i++) {
                clients.add(RpcClient.builder(server.address())
                        .slots(64).initialSlots(4).slotBytes(4096).connect());
                assertEquals(3, clients.get(i).stub(Calls.class).add(1, 2));
            }
            for (int round = 0; round < 2; round++) {
                List<CompletableFuture<Long>> calls = new ArrayList<>();
                for (RpcClient client : clients) {
                    CallsAsync async = client.asyncStub(Calls.class, CallsAsync.class);
                    for (int n = 0; n < 100; n++) {
                        calls.add(async.add(n, 1));
                    }
                }
                for (int i = 0; i < calls.size(); i++) {
                    assertEquals(i % 100 + 1L, Await.join(calls.get(i)));
                }
            }
            assertTrue(clients.stream().allMatch(RpcClient::isConnected));
            long stay = clients.stream().filter(client -> ClientAudit.slots(Cores.of(client)) == 4).count();
            assertTrue(stay > 0 && stay < clients.size(), "clients that got no more=" + stay);
        } finally {
            clients.forEach(RpcClient::close);
        }
    }

    @Test
    void whatSessionsHadComesBackToTheLast() {
        SessionBudget budget = new SessionBudget(new SessionLimits().maxSessions(2).bodyMemory(4 * MIB, 6 * MIB));
        SessionBudget.Share first = budget.admit("host a");
        SessionBudget.Share second = budget.admit("host a");
        first.grant(Hello.request(Protocol.CALLS, 64, 4096, 1 << 30), LinkLayout::sessionBytes);
        first.takeBody(4 * MIB);
        assertTrue(assertThrows(RpcException.class, () -> first.takeBody(1)).getMessage()
                .contains("max body memory of a session 4194304 bytes reached: used=4194304 needed=1"));
        second.takeBody(2 * MIB);
        assertTrue(assertThrows(RpcException.class, () -> second.takeBody(1)).getMessage()
                .contains("max body memory of the server 6291456 bytes reached: used=6291456 needed=1"));
        assertTrue(second.isScarce());
        first.giveBody(MIB);
        first.close();
        first.close();
        second.close();
        assertEquals("sessions=0 peers=0 session bytes=0 body bytes=0", budget.toString());
    }

    // ---- long requests

    private static void describe(RawClient raw, int slot, int method, long address, int rkey, int length) {
        ByteBuffer body = raw.link().body(slot).order(ByteOrder.LITTLE_ENDIAN);
        body.putLong(0, address).putInt(8, rkey);
        raw.send(slot, RpcHeader.first(RpcHeader.REQUEST, RpcHeader.RENDEZVOUS, method, RpcHeader.callId(slot, 1)),
                RpcHeader.second(length, 0, 0), RpcHeader.DESCRIPTOR_BYTES);
    }

    /** Waits for an answer; returns its status and text. */
    private static String answer(RawClient raw) {
        raw.awaitMessage();
        long first = raw.link().first();
        assertEquals(RpcHeader.RESPONSE, RpcHeader.kind(first));
        WireReader reader = new WireReader();
        reader.reset(raw.link().payload(), raw.link().payloadOffset() + RpcHeader.BYTES,
                raw.link().payloadLength() - RpcHeader.BYTES, null);
        Status status = Status.ofCode(RpcHeader.method(first));
        return status + ": " + (status == Status.OK ? "" : reader.readString());
    }

    @Test
    void aDescriptorOfAGibibyteForNoMethodIsAnsweredBeforeAnythingIsAllocated() {
        try (RpcServer server = serve(new SessionLimits().bodyMemory(2 * MIB, 2 * MIB));
                RawClient raw = new RawClient(server.address())) {
            raw.connect(address);
            int base = raw.open(new CallsService(), 0);
            for (int slot = 0; slot < RawClient.SLOTS; slot++) {
                describe(raw, slot, base + 3000, 4096, 77, 1 << 30);
            }
            for (int slot = 0; slot < RawClient.SLOTS; slot++) {
                String answer = answer(raw);
                assertTrue(answer.startsWith("UNIMPLEMENTED: no method number="), answer);
            }
            assertTrue(raw.isConnected());
        }
    }

    @Test
    void longRequestsOfASessionTakeNoMoreThanItsBudgetWhateverTheSlots() {
        byte[] text = new byte[3 * MIB];
        try (RpcServer server = serve(new SessionLimits().bodyMemory(10 * MIB, 64 * MIB));
                RawClient raw = new RawClient(server.address()); RpcClient other = RpcClient.connect(address)) {
            raw.connect(address);
            int base = raw.open(new CallsService(), 0);
            int hang = base + index("hang");
            RegionBody body = raw.bodies().take(4 * MIB);
            WireWriter writer = new WireWriter();
            writer.reset(body.buffer(), 0, body.capacity(), null, null);
            writer.writeLong(1);
            for (int slot = 0; slot < 4; slot++) { // of which two have room: a body of 3 MiB takes 4
                describe(raw, slot, hang, body.address(), body.rkey(), 3 * MIB);
            }
            for (int i = 0; i < 2; i++) {
                String answer = answer(raw);
                assertTrue(answer.startsWith("RESOURCE_EXHAUSTED: ")
                        && answer.contains("max body memory of a session 10485760 bytes reached: used=8388608"),
                        answer);
            }
            assertEquals(text.length, other.stub(Calls.class).echo(text).length, "others have their own");
            impl.openGate();
            raw.bodies().give(body);
        }
    }

    private static int index(String method) {
        return new CallsService().methods().stream().filter(one -> one.name().equals(method)).findFirst()
                .orElseThrow().index();
    }

    // ---- protection

    @Test
    void aSessionCannotReadWhatLiesThereForAnother() {
        try (RpcServer server = serve(new SessionLimits());
                RawClient owner = new RawClient(server.address()); RawClient thief = new RawClient(address)) {
            owner.connect(address);
            thief.connect(address);
            int sized = owner.open(new CallsService(), 0) + index("sized");
            WireWriter writer = new WireWriter();
            ByteBuffer body = owner.link().body(0);
            writer.reset(body, 0, body.capacity(), null, null);
            writer.writeInt(20_000);
            writer.writeInt(7);
            owner.request(0, 1, sized, writer.length());
            owner.awaitMessage();
            assertTrue((RpcHeader.flags(owner.link().first()) & RpcHeader.RENDEZVOUS) != 0, "a long answer");
            int at = owner.link().payloadOffset() + RpcHeader.BYTES;
            long place = Descriptor.address(owner.link().payload(), at);
            int rkey = Descriptor.rkey(owner.link().payload(), at);
            RegionBody loot = thief.bodies().takeForFetch(16_384);
            assertTrue(!thief.fetch(loot, 16_384, place, rkey), "another session's answer was read");
            assertTrue(thief.link().failure().contains("REM_ACCESS_ERR"), thief.link().failure());
            RegionBody own = owner.bodies().takeForFetch(16_384);
            assertTrue(owner.fetch(own, 16_384, place, rkey), owner.link().failure());
            thief.bodies().give(loot);
            owner.bodies().give(own);
        }
    }

    // ---- many sessions

    @Test
    void twoHundredSessionsHaveLongAnswersAtOnce() {
        int sessions = 200;
        List<AutoCloseable> open = new ArrayList<>();
        try (RpcServer server = serve(new SessionLimits()); Device device = Devices.open(server.address())) {
            EventChannel channel = device.createChannel();
            try {
                for (int i = 0; i < sessions; i++) {
                    haveLongAnswers(connect(device, channel, open), i);
                }
                try (RpcClient latecomer = RpcClient.connect(address)) {
                    assertEquals(30_000, latecomer.stub(Calls.class).echo(new byte[30_000]).length);
                }
            } finally {
                Collections.reverse(open);
                open.forEach(SessionLimitTest::close);
            }
        }
    }

    private VerbsLink connect(Device device, EventChannel channel, List<AutoCloseable> open) {
        SessionDomain domain = new SessionDomain(device, null);
        open.add(domain);
        VerbsLink link = new VerbsLink(Clock.SYSTEM, device, domain, channel,
                LinkSize.fixed(4, 1024, Protocol.CALLS.answers(4)));
        open.add(link);
        Connection connection = device.connect(address, link.qp(),
                Hello.request(Protocol.CALLS, 4, 1024, 1 << 30).encode(), channel, 30_000_000_000L);
        open.add(connection);
        return link;
    }

    /** Has as many answers as make the server use as many bodies in turn as it ever does. */
    private static void haveLongAnswers(VerbsLink link, int session) {
        int sized = RawClient.open(link, new CallsService(), 0) + index("sized");
        for (int n = 1; n <= 70; n++) {
            WireWriter writer = new WireWriter();
            writer.reset(link.body(0), 0, link.slotBytes(), null, null);
            writer.writeInt(12_000);
            writer.writeInt(n);
            link.send(0, RpcHeader.first(RpcHeader.REQUEST, 0, sized, RpcHeader.callId(0, n)),
                    RpcHeader.second(writer.length(), 0, 0), writer.length());
            RawClient.awaitMessage(link);
            assertEquals(Status.OK.code(), RpcHeader.method(link.first()), "session=" + session + " answer=" + n);
            assertTrue((RpcHeader.flags(link.first()) & RpcHeader.RENDEZVOUS) != 0, "a long answer");
        }
    }

    private static void close(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
