package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.connection.ServiceChannel;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.service.MethodOffer;
import org.jvrpc.runtime.service.ServiceTable;
import org.jvrpc.runtime.session.RpcHeader;

/** How a service is opened on a session, and what its calls take along. */
class ServiceChannelTest {

    private static final long MS = 1_000_000;
    private static final int BASE = 100;
    private static final CallsService SERVICE = new CallsService();
    private static final int METHODS = SERVICE.methods().size();

    private final StillClient client = new StillClient();
    private final StillClient.Peer peer = client.peer;
    private int base = BASE;

    ServiceChannelTest() {
        peer.whenSent = () -> {
            if (peer.last().method() == RpcHeader.OPEN) {
                peer.answers(peer.last().callId(), Status.OK, ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(base).array());
            }
        };
    }

    @AfterEach
    void close() {
        client.close();
    }

    private ServiceChannel channel(CallOptions options, ClientInterceptor... interceptors) {
        return new ServiceChannel(client.core, SERVICE, null, options, List.of(interceptors));
    }

    private ServiceChannel opened(CallOptions options, ClientInterceptor... interceptors) {
        ServiceChannel channel = channel(options, interceptors);
        channel.open();
        return channel;
    }

    private long opens() {
        return peer.sent.stream().filter(sent -> sent.method() == RpcHeader.OPEN).count();
    }

    private long end() {
        return client.time.nowNs + client.settings.connectTimeoutNs();
    }

    // ---- opening

    @Test
    void aServiceIsOpenedOnceAndItsMethodsBeginWhereTheServerSays() {
        ServiceChannel channel = opened(CallOptions.DEFAULT);
        assertEquals(1, opens());
        for (int i = 0; i < 2; i++) {
            channel.begin(CallsService.ECHO).invokeAsync((in, thrown) -> in.remaining());
            assertEquals(BASE + CallsService.ECHO.index(), peer.last().method());
        }
        assertEquals(1, opens());
        assertSame(channel.bind(client.session, end()), channel.bind(client.session, end()));
    }

    @Test
    void aServiceThatIsNotOpenIsOpenedByItsFirstCall() {
        channel(CallOptions.DEFAULT).begin(CallsService.ECHO).invokeAsync((in, thrown) -> in.remaining());
        assertEquals(1, opens());
        assertEquals(BASE + CallsService.ECHO.index(), peer.last().method());
    }

    @Test
    void whatIsOpenOnAnotherSessionIsNotKept() {
        ServiceChannel channel = opened(CallOptions.DEFAULT);
        StillClient.Peer other = new StillClient.Peer();
        ClientSession session = client.newSession(other);
        other.whenSent = () -> other.answers(other.last().callId(), Status.OK, new byte[8]);
        ServiceChannel.Binding bound = channel.bind(session, end());
        assertSame(session, bound.session());
        assertEquals(0, bound.base());
        assertSame(client.session, channel.bind(client.session, end()).session());
        assertEquals(1, opens(), "that binding stays");
        assertNotSame(bound, channel.bind(session, end()));
        assertEquals(2, other.sent.size());
    }

    /** Whoever loses a session tells its client last: until then, calls would find it in its place. */
    @Test
    void aCallThatWaitsForReadyBeginsOnNoSessionThatIsJustLost() {
        ServiceChannel channel = opened(CallOptions.DEFAULT.withWaitForReady());
        CompletableFuture<Object> losing;
        synchronized (client.core) {
            losing = Await.start(() -> {
                client.session.end();
                return null;
            });
            Await.until("the session to be lost", () -> !client.core.isConnected());
            assertSame(client.session, client.core.session());
            client.time.stepNs = StillClient.DEADLINE_NS / 5;
            assertEquals("no connection to still://server", failsToBegin(channel));
        }
        Await.join(losing);
    }

    @Test
    void aCallThatWaitsForReadyWaitsForTheNextSessionWhenThisOneIsLostWhileItIsOpened() {
        ServiceChannel patient = channel(CallOptions.DEFAULT.withWaitForReady());
        peer.fault = new IllegalStateException("for the test");
        client.time.stepNs = StillClient.DEADLINE_NS / 50;
        assertEquals("no connection to still://server", failsToBegin(patient));
        assertNull(client.core.session());
    }

    @Test
    void aCallThatDoesNotWaitIsToldWhyTheOpeningFailed() {
        peer.fault = new IllegalStateException("for the test");
        assertTrue(failsToBegin(channel(CallOptions.DEFAULT)).contains("for the test"));
    }

    /** As one does that was waited for, when the session is lost and its calls end. */
    @Test
    void aSlotThatIsFreeInASessionThatTakesNoCallsIsGivenBack() {
        client.session.drain();
        for (int i = 0; i <= StillClient.SLOTS; i++) {
            assertNull(client.session.claim(end()));
        }
        assertNotNull(client.session.tryClaim());
    }

    /** A call begins, or fails, as its session does. @return why it failed */
    private static String failsToBegin(ServiceChannel channel) {
        RpcException e = assertThrows(RpcException.class, () -> channel.begin(CallsService.ECHO));
        assertEquals(Status.UNAVAILABLE, e.status(), e.getMessage());
        return e.getMessage();
    }

    @Test
    void aSessionThatTakesNoCallsOpensNothing() {
        for (int i = 0; i < StillClient.SLOTS; i++) {
            client.session.tryClaim();
        }
        client.session.drain();
        assertNull(channel(CallOptions.DEFAULT).bind(client.session, end()));
    }

    @Test
    void methodsThatCannotBeAreRefused() {
        base = RpcHeader.OPEN - METHODS;
        opened(CallOptions.DEFAULT);
        for (int bad : new int[] {-1, RpcHeader.OPEN - METHODS + 1}) {
            base = bad;
            RpcException e = assertThrows(RpcException.class, channel(CallOptions.DEFAULT)::open);
            assertEquals(Status.INTERNAL, e.status());
            assertEquals("server answered with base=" + bad, e.getMessage());
        }
    }

    @Test
    void aServiceThatIsNotOpenedInTimeIsNamed() {
        peer.whenSent = () -> { };
        client.time.stepNs = MS;
        RpcException e = assertThrows(RpcException.class, channel(CallOptions.DEFAULT)::open);
        assertEquals(Status.DEADLINE_EXCEEDED, e.status());
        assertEquals("not opened in 10000 us: " + SERVICE.name(), e.getMessage());
    }

    @Test
    void aServerThatDoesNotKnowTheServiceIsHeard() {
        peer.whenSent = () -> peer.fails(peer.last().callId(), Status.NOT_FOUND, "planted");
        RpcException e = assertThrows(RpcException.class, channel(CallOptions.DEFAULT)::open);
        assertEquals(Status.NOT_FOUND, e.status());
        assertEquals("planted", e.getMessage());
    }

    @Test
    void aClientOpensTheServiceAndHasOneCodecForIt() {
        ServiceChannel one = client.core.channel(SERVICE, CallOptions.DEFAULT);
        ServiceChannel other = client.core.channel(SERVICE, CallOptions.DEFAULT);
        assertEquals(2, opens());
        assertNotNull(one.objects());
        assertSame(one.objects(), other.objects());
    }

    // ---- calls

    private void takesAlong(int extensionLength, ServiceChannel channel) {
        channel.begin(CallsService.ECHO).invokeAsync((in, thrown) -> in.remaining());
        assertEquals(extensionLength, peer.last().extensionLength());
    }

    @Test
    void whatHasNeitherOptionsNorInterceptorsTakesNothingAlong() {
        takesAlong(0, opened(CallOptions.DEFAULT));
        takesAlong(12, opened(CallOptions.DEFAULT.withDeadlineAfter(Duration.ofSeconds(1))));
        takesAlong(12, opened(CallOptions.DEFAULT, (context, next) -> next.proceed()));
    }

    @Test
    void whatHasMetadataTakesItAlong() {
        takesAlong(12 + 2 * 5, opened(CallOptions.DEFAULT.withMetadata("a", "b")));
    }

    @Test
    void aCallHasTheTimeThatItsOptionsSay() {
        assertEquals(MS, channel(CallOptions.DEFAULT.withDeadlineAfter(Duration.ofMillis(1))).limitNs(
                CallsService.ECHO));
        assertEquals(StillClient.DEADLINE_NS, channel(CallOptions.DEFAULT).limitNs(CallsService.ECHO));
    }

    private long endsAfter(ServiceChannel channel, MethodDescriptor method) {
        long fromNs = client.time.nowNs;
        ClientSlot slot = (ClientSlot) channel.begin(method);
        client.time.nowNs += MS;
        long endNs = slot.endNs();
        slot.set(SlotState.FREE);
        return endNs - fromNs;
    }

    @Test
    void theTimeOfALightCallBeginsWithItsFirstWait() {
        assertEquals(StillClient.DEADLINE_NS + MS, endsAfter(opened(CallOptions.DEFAULT), CallsService.ECHO));
        assertEquals(StillClient.DEADLINE_NS, endsAfter(opened(CallOptions.DEFAULT), CallsService.ECHO_HEAVY));
        assertEquals(2 * MS, endsAfter(opened(CallOptions.DEFAULT.withDeadlineAfter(Duration.ofMillis(2))),
                CallsService.ECHO));
    }

    // ---- what programs answer

    /** A method that is offered, and one that is not. */
    private static final MethodDescriptor OFFERED = offloaded(CallsService.ECHO);
    private static final MethodDescriptor OTHER = offloaded(CallsService.ECHO_HEAVY);

    private static MethodDescriptor offloaded(MethodDescriptor method) {
        return new MethodDescriptor(method.index(), method.service(), method.name(), method.signature(),
                method.fingerprint(), method.heavy(), false, 0, true);
    }

    /** Has a server offer a method to whoever opens the service. */
    private void offer(StillClient.Peer server) {
        ServiceTable table = new ServiceTable();
        table.add(SERVICE, new CallsImpl());
        table.offer(SERVICE.name(), new MethodOffer(OFFERED.index(), 64, "still://host", "echo"));
        ByteBuffer memory = ByteBuffer.allocateDirect(1 << 15);
        WireWriter asked = new WireWriter();
        asked.reset(memory, 0, 1 << 14, null, null);
        ServiceTable.writeOpen(asked, SERVICE);
        WireReader in = new WireReader();
        in.reset(memory, 0, asked.length(), null);
        WireWriter answer = new WireWriter();
        answer.reset(memory, 1 << 14, 1 << 15, null, null);
        table.open(in, answer, new ServiceTable.Method[0]);
        byte[] bytes = new byte[answer.length()];
        memory.get(1 << 14, bytes);
        server.whenSent = () -> {
            if (server.last().method() == RpcHeader.OPEN) {
                server.answers(server.last().callId(), Status.OK, bytes);
            }
        };
    }

    /** Returns how often somebody is woken to connect to the program, while an ordinary call begins. */
    private int connects(ServiceChannel channel, MethodDescriptor method) {
        client.wakes();
        ClientSlot slot = assertInstanceOf(ClientSlot.class, channel.begin(method));
        int wakes = client.wakes();
        slot.set(SlotState.FREE);
        return wakes;
    }

    @Test
    void aProgramIsConnectedToByTheFirstCallThatItMayAnswer() {
        offer(peer);
        ServiceChannel hurried = opened(CallOptions.DEFAULT.withDeadlineAfter(Duration.ofSeconds(1)));
        assertEquals(0, connects(hurried, OFFERED), "its options are for a server");
        ServiceChannel channel = opened(CallOptions.DEFAULT);
        assertEquals(0, connects(channel, CallsService.ECHO), "it is not to be answered by one");
        assertEquals(0, connects(channel, OTHER), "none is offered");
        assertEquals(1, connects(channel, OFFERED));
        assertEquals(0, connects(channel, OFFERED), "that goes on");
        assertEquals(0, client.core.offloadedCalls());
    }

    @Test
    void aServerThatOffersNothingIsCalled() {
        ServiceChannel channel = opened(CallOptions.DEFAULT);
        assertEquals(0, connects(channel, OFFERED));
    }

    /** Has calls go to another server, of whose programs nothing is known yet. */
    private StillClient.Peer replaceServer() {
        StillClient.Peer other = new StillClient.Peer();
        client.core.replace(client.core.session(), client.newSession(other));
        return other;
    }

    /** A call to a server that does not open the service; returns how often somebody is woken by it. */
    private int wakesInVain(ServiceChannel channel) {
        client.wakes();
        assertThrows(RpcException.class, () -> channel.begin(OFFERED));
        return client.wakes();
    }

    private static void refuseAll(StillClient.Peer server) {
        server.whenSent = () -> server.fails(server.last().callId(), Status.NOT_FOUND, "planted");
    }

    @Test
    void whatANewServerOffersIsAskedForOnceBesideTheCalls() {
        offer(peer);
        ServiceChannel channel = opened(CallOptions.DEFAULT);
        connects(channel, OFFERED);
        refuseAll(replaceServer());
        assertEquals(1, wakesInVain(channel));
        assertEquals(0, wakesInVain(channel), "that goes on");
        refuseAll(replaceServer());
        assertEquals(1, wakesInVain(channel), "a third server");
    }

    @Test
    void whereThereIsNoServerNobodyIsAskedWhatItOffers() {
        offer(peer);
        ServiceChannel channel = opened(CallOptions.DEFAULT);
        refuseAll(replaceServer());
        wakesInVain(channel);
        client.core.session().end();
        assertEquals(0, wakesInVain(channel));
    }

    /** Does what the thread of the programs has to do. */
    private void runOffloads() {
        client.device.whenAwaiting = client.core.offloads()::stop;
        client.core.offloads().run();
    }

    @Test
    void whatANewServerOffersIsKnownWithoutACall() {
        offer(peer);
        ServiceChannel channel = opened(CallOptions.DEFAULT);
        connects(channel, OFFERED);
        StillClient.Peer other = replaceServer();
        refuseAll(other);
        wakesInVain(channel);
        offer(other);
        int before = other.sent.size();
        runOffloads();
        assertEquals(RpcHeader.OPEN, other.last().method());
        assertEquals(1, other.sent.size() - before);
        connects(channel, OFFERED);
        assertEquals(1, other.sent.size() - before, "the service is open there");
    }

    @Test
    void aNewServerThatDoesNotAnswerLeavesTheThreadOfTheProgramsToOthers() {
        offer(peer);
        ServiceChannel channel = opened(CallOptions.DEFAULT);
        connects(channel, OFFERED);
        refuseAll(replaceServer());
        wakesInVain(channel);
        int[] rest = new int[1];
        client.core.offloads().execute(() -> rest[0]++);
        int parks = client.time.parks.size();
        runOffloads();
        assertEquals(1, rest[0]);
        assertEquals(parks, client.time.parks.size(), "no pause after a failure");
    }

    @Test
    void aLightCallThatHadToWaitBeforeItBeganHasNoTimeBeyondThat() {
        assertEquals(StillClient.DEADLINE_NS, endsAfter(channel(CallOptions.DEFAULT), CallsService.ECHO));
    }
}
