package org.jvrpc.offload.lookup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.offload.Prefetching;
import org.jvrpc.offload.table.Bucket;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.VerbsException;

/** Hosts whose device lets them down: the trouble with one client is no other's. */
final class OffloadHostTest {

    private static final long LIMIT_NS = Waits.limitNs();
    private static final int BYTES = 256;

    private final String address = SharedMemoryFolder.freshAddress();
    private final Device hostDevice = Devices.open("shm://any");
    private final Device clientDevice = Devices.open("shm://any");
    private final EventChannel channel = clientDevice.createChannel();
    private final MemoryRegion data =
            hostDevice.allocatePd().allocate(BYTES, Access.LOCAL_WRITE | Access.REMOTE_READ);
    private OffloadHost host;

    @AfterEach
    void close() {
        host.close();
        clientDevice.close();
        hostDevice.close();
    }

    private void host(Device device, LookupKind kind) {
        ByteBuffer table = data.buffer(0, BYTES);
        table.putLong(2 * Bucket.BYTES, 1);
        Bucket.clear(table, 0);
        Bucket.publish(table, Bucket.BYTES, 7, data.address() + 2 * Bucket.BYTES, 16);
        host = new OffloadHost(device, address);
        host.offer(new Offer("any", kind, data, 0));
    }

    private OffloadClient connect() {
        return OffloadClient.connect(clientDevice, address, "any", 64, channel, LIMIT_NS);
    }

    private String refusal() {
        ConnectionException e = assertThrows(ConnectionException.class, this::connect);
        assertEquals(ConnectionException.Reason.REJECTED, e.reason());
        return new String(e.privateData(), StandardCharsets.UTF_8);
    }

    private Outcome get(OffloadClient client) {
        return client.hashGet(Bucket.image(7), data.address(), data.address() + Bucket.BYTES, LIMIT_NS);
    }

    private void awaitNobody() {
        Waits.until("the host to have no clients", () -> host.clients().isEmpty(), host::clients);
    }

    /** What does as {@code real}, but that the results of its methods are changed, by the method's name. */
    private static <T> T over(Class<T> type, T real, BiFunction<String, Object, Object> change) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (proxy, method, arguments) -> {
                    try {
                        return change.apply(method.getName(), method.invoke(real, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    /** A device whose domains cannot be closed: somebody else has a region in each. */
    private static Device withDomainsThatStay(Device device) {
        return over(Device.class, device, (method, result) -> {
            if (result instanceof ProtectionDomain pd) {
                pd.allocate(64, Access.LOCAL_WRITE);
            }
            return result;
        });
    }

    /** A device whose listeners' requests are changed, and where something happens when one of these is closed. */
    private static Device atRequests(Device device, Runnable atClose, UnaryOperator<ConnectionRequest> change) {
        return over(Device.class, device, (listen, made) -> !(made instanceof Listener listener) ? made
                : over(Listener.class, listener, (poll, asked) -> asked instanceof ConnectionRequest request
                        ? change.apply(request) : closed(poll, atClose, asked)));
    }

    /** A device at whose listeners and their connections something happens when they are closed. */
    private static Device atClose(Device device, Runnable ofListener, Runnable ofConnection) {
        return atRequests(device, ofListener, request -> over(ConnectionRequest.class, request,
                (accept, accepted) -> !(accepted instanceof Connection connection) ? accepted
                        : over(Connection.class, connection, (close, result) -> closed(close, ofConnection, result))));
    }

    private static Object closed(String method, Runnable what, Object result) {
        if (method.equals("close")) {
            what.run();
        }
        return result;
    }

    /** Over a network, whoever writes another's address into a REQ is accepted, and never heard of again. */
    @Test
    void thoseWhoNeverConfirmKeepNobodyOut() {
        AtomicInteger accepted = new AtomicInteger();
        host(atRequests(hostDevice, () -> { }, request -> over(ConnectionRequest.class, request,
                (accept, made) -> !(made instanceof Connection connection)
                        || accepted.incrementAndGet() >= OffloadHost.MAX_CLIENTS ? made
                        : over(Connection.class, connection, (method, result) ->
                                method.equals("isEstablished") ? Boolean.FALSE : result))), LookupKind.HASH_GET);
        List<OffloadClient> silent = new ArrayList<>();
        for (int i = 1; i < OffloadHost.MAX_CLIENTS; i++) {
            silent.add(connect());
        }
        OffloadClient first = connect();
        OffloadClient second = connect(); // in the place of the oldest that is silent
        assertEquals(Outcome.FOUND, get(first));
        assertEquals(Outcome.FOUND, get(second));
        assertEquals(OffloadHost.MAX_CLIENTS, host.clients().size());
        silent.forEach(OffloadClient::close);
        first.close();
        second.close();
    }

    /** Each QP has memory of its own for packets, of which the JVM has so much. */
    @Test
    void noErrorEndsTheHost() {
        AtomicBoolean exhausted = new AtomicBoolean();
        host(over(Device.class, hostDevice, (method, result) -> {
            if (method.equals("createCq") && exhausted.get()) {
                throw new OutOfMemoryError("planted");
            }
            return result;
        }), LookupKind.HASH_GET);
        exhausted.set(true);
        for (int i = 0; i < 2; i++) {
            assertEquals("the host cannot serve another client: planted", refusal());
        }
        exhausted.set(false);
        OffloadClient client = connect();
        assertEquals(Outcome.FOUND, get(client));
        client.close();
        awaitNobody();
    }

    @Test
    void requestsThatNeverCeaseKeepNobodyWaiting() {
        AtomicBoolean flooded = new AtomicBoolean();
        AtomicInteger refused = new AtomicInteger();
        ConnectionRequest stranger = (ConnectionRequest) Proxy.newProxyInstance(
                ConnectionRequest.class.getClassLoader(), new Class<?>[] {ConnectionRequest.class},
                (proxy, method, arguments) -> {
                    refused.addAndGet(method.getName().equals("reject") ? 1 : 0);
                    return method.getName().equals("privateData") ? new byte[0] : null;
                });
        host(over(Device.class, hostDevice, (listen, made) -> !(made instanceof Listener listener) ? made
                : over(Listener.class, listener, (poll, asked) ->
                        poll.equals("poll") && asked == null && flooded.get() ? stranger : asked)),
                LookupKind.HASH_GET);
        OffloadClient client = connect();
        flooded.set(true);
        try {
            Waits.until("strangers to be refused", () -> refused.get() > 1000, refused::get);
            client.close();
            awaitNobody();
        } finally {
            flooded.set(false);
        }
    }

    @Test
    void othersAreServedAfterOneWhoCannotBeTakenAwayWhole() {
        host(withDomainsThatStay(hostDevice), LookupKind.HASH_GET);
        for (int i = 0; i < 2; i++) {
            OffloadClient client = connect();
            assertEquals(Outcome.FOUND, get(client), "client " + i);
            client.close();
            awaitNobody();
        }
    }

    @Test
    void othersAreAnsweredAfterOneWhoCanNeitherBeServedNorTakenAwayWhole() {
        host(withDomainsThatStay(hostDevice), LookupKind.ARRAY_SEARCH);
        Prefetching.begin();
        try {
            for (int i = 0; i < 2; i++) {
                String why = refusal();
                assertTrue(why.contains("prefetches"), "client " + i + ": " + why);
            }
        } finally {
            Prefetching.end();
        }
    }

    @Test
    void whoCannotBeServedHasNothingLeftWhenHeIsTold() {
        List<Integer> listed = new CopyOnWriteArrayList<>();
        host(atRequests(hostDevice, () -> { }, request -> over(ConnectionRequest.class, request, (method, result) -> {
            if (method.equals("reject")) {
                listed.add(host.clients().size());
            }
            return result;
        })), LookupKind.ARRAY_SEARCH);
        String why = Prefetching.call(this::refusal);
        assertTrue(why.contains("prefetches"), why);
        Waits.until("the host to have told", () -> !listed.isEmpty());
        assertEquals(List.of(0), listed);
    }

    @Test
    void aConnectionThatEndsBadlyKeepsNothingElse() {
        host(atClose(hostDevice, () -> { }, () -> {
            throw new VerbsException("disconnect", "planted");
        }), LookupKind.HASH_GET);
        OffloadClientTest.fill(hostDevice, 10);
        for (int i = 0; i < 3; i++) { // each takes four or more
            connect().close();
            awaitNobody();
        }
    }

    @Test
    void aRefusalIsNoLongerThanItsDeviceCarries() {
        host(over(Device.class, hostDevice, (method, result) -> method.equals("maxAnswerBytes") ? 24 : result),
                LookupKind.HASH_GET);
        host.withdraw("any");
        assertEquals("no lookup name=any here;", refusal());
    }

    @Test
    void whoIsGoneIsNotCutOff() {
        host(hostDevice, LookupKind.HASH_GET);
        OffloadClient client = connect();
        assertEquals(Outcome.FOUND, get(client));
        HostedClient hosted = host.clients().get(0);
        assertTrue(hosted.cutOff(), "it is there");
        client.close();
        Waits.until("the end of the client", () -> !hosted.cutOff(), host::clients);
        assertThrows(VerbsException.class, hosted::executed);
    }

    private static boolean isIn(Thread thread, String method) {
        return Arrays.stream(thread.getStackTrace()).anyMatch(frame -> frame.getMethodName().equals(method));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aHostThatClosesTakesItsClientsAwayBeforeItsAddressIsFree(boolean interrupted) {
        Thread closer = Thread.currentThread();
        List<String> closed = new CopyOnWriteArrayList<>();
        host(atClose(hostDevice, () -> closed.add("listener"), () -> {
            Waits.until("who closes to wait", () -> !closed.isEmpty() || isIn(closer, "join"));
            closed.add("connection");
        }), LookupKind.HASH_GET);
        assertEquals(Outcome.FOUND, get(connect()));
        if (interrupted) {
            closer.interrupt();
        }
        host.close();
        assertEquals(interrupted, Thread.interrupted());
        assertEquals(List.of("connection", "listener"), closed);
    }
}
