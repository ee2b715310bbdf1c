package org.jvrpc.runtime.contract.change;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.jvrpc.runtime.contract.change.Version.call;
import static org.jvrpc.runtime.contract.change.Versions.FOREIGN;
import static org.jvrpc.runtime.contract.change.Versions.NEW;
import static org.jvrpc.runtime.contract.change.Versions.OLD;
import static org.jvrpc.runtime.contract.change.Versions.SIDEWAYS;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.Streams;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.contract.RpcUnderTest;

/** Clients and servers with different versions of an interface. */
public abstract class ChangeContract implements RpcUnderTest {

    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    @AfterEach
    void closeAll() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    /** Starts a server of one version and connects a client. */
    private RpcClient connect(Version version) {
        return connect(serve(version));
    }

    final RpcServer serve(Version version) {
        RpcServer server = RpcServer.builder().bind(newAddress())
                .service(version.<Object>type("Shop"), version.make("ShopImpl")).start();
        open.push(server);
        return server;
    }

    final RpcClient connect(RpcServer server) {
        RpcClient client = RpcClient.connect(clientAddress(server.address()));
        open.push(client);
        return client;
    }

    /** Returns a stub of one version at a server of another. */
    private Object stub(Version client, Version server) {
        return connect(server).stub(client.type("Shop"));
    }

    private static RpcException failsWith(Status status, Executable call) {
        RpcException e = assertThrows(RpcException.class, call);
        assertEquals(status, e.status(), e.getMessage());
        return e;
    }

    private static Object order(Version version, long id) {
        return version == NEW
                ? NEW.make("Shop$Order", id, "A", NEW.constant("Shop$Side", "BUY"), "mine", 3,
                        List.of(NEW.make("Shop$Order", 2L, "B", NEW.constant("Shop$Side", "SELL"))))
                : version.make("Shop$Order", id, "A", version.constant("Shop$Side", "BUY"));
    }

    private static final String OLD_ORDER = "Order[id=1, symbol=A, side=BUY]";
    /** What is left of a new order at an old peer. */
    private static final String CUT_ORDER = "Order[id=1, symbol=A, side=BUY, note=null, lots=0, parts=null]";
    private static final String NEW_ORDER = "Order[id=1, symbol=A, side=BUY, note=mine, lots=3, parts=[Order[id=2,"
            + " symbol=B, side=SELL, note=null, lots=0, parts=null]]]";

    @Test
    void equalVersionsCarryAllThatTheyHave() throws Exception {
        Object stub = stub(NEW, NEW);
        assertEquals(NEW_ORDER, call(stub, "text", order(NEW, 1)));
        assertEquals(order(NEW, 1), call(stub, "echo", order(NEW, 1)));
    }

    @Test
    void aNewClientSendsAnOldServerWhatItKnows() throws Exception {
        Object stub = stub(NEW, OLD);
        assertEquals(OLD_ORDER, call(stub, "text", order(NEW, 1)));
        assertEquals(OLD_ORDER, call(stub, "textHeavy", order(NEW, 1)));
        assertEquals(CUT_ORDER, call(stub, "echo", order(NEW, 1)).toString());
    }

    @Test
    void anOldClientIsSentWhatItKnows() throws Exception {
        Object stub = stub(OLD, NEW);
        assertEquals(CUT_ORDER, call(stub, "text", order(OLD, 1)));
        assertEquals(CUT_ORDER, call(stub, "textHeavy", order(OLD, 1)));
        assertEquals(OLD_ORDER, call(stub, "echo", order(OLD, 1)).toString());
        assertEquals("Order[id=5, symbol=S5, side=SELL]", call(stub, "find", 5L).toString());
    }

    /** Puts growing records into lists and maps, some of them longer than a slot. */
    private void carriesCollections(Version client, Version server, String expected, int count) throws Exception {
        Object stub = stub(client, server);
        Map<String, Object> orders = new LinkedHashMap<>();
        List<Object> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            orders.put("k" + i, order(client, 1));
            lines.add(client.make("Shop$Line", i, order(client, 1)));
        }
        List<?> all = (List<?>) call(stub, "all", orders);
        assertEquals(count, all.size());
        all.forEach(order -> assertEquals(expected, order.toString()));
        List<?> back = (List<?>) call(stub, "lines", lines);
        assertEquals(count + 1, back.size());
        for (int i = 0; i < count; i++) {
            assertEquals("Line[n=" + i + ", order=" + expected + "]", back.get(i).toString());
        }
    }

    @Test
    void growingRecordsTravelInListsAndMaps() throws Exception {
        carriesCollections(OLD, NEW, OLD_ORDER, 3);
        carriesCollections(NEW, OLD, CUT_ORDER, 3);
        carriesCollections(NEW, NEW, NEW_ORDER, 3);
    }

    @Test
    void growingRecordsTravelInLongBodies() throws Exception {
        carriesCollections(OLD, NEW, OLD_ORDER, 5000);
        carriesCollections(NEW, OLD, CUT_ORDER, 5000);
    }

    @Test
    void declaredExceptionsGrowToo() throws Exception {
        Exception old = assertThrows(Exception.class, () -> call(stub(OLD, NEW), "find", -4L));
        assertEquals(OLD.type("Shop$SoldOut"), old.getClass());
        assertEquals(-4L, call(old, "id"));
        Exception cut = assertThrows(Exception.class, () -> call(stub(NEW, OLD), "find", -5L));
        assertEquals(NEW.type("Shop$SoldOut"), cut.getClass());
        assertEquals(-5L, call(cut, "id"));
        assertEquals("null", String.valueOf(call(cut, "getWait")));
        Exception whole = assertThrows(Exception.class, () -> call(stub(NEW, NEW), "find", -6L));
        assertEquals("PT3S", call(whole, "getWait").toString());
    }

    @Test
    void eachSideMayBeNewerInAnotherRecord() throws Exception {
        Object stub = stub(NEW, SIDEWAYS);
        List<?> lines = (List<?>) call(stub, "lines", List.of(NEW.make("Shop$Line", 1, order(NEW, 1))));
        assertEquals("Line[n=1, order=" + CUT_ORDER + "]", lines.get(0).toString());
        Object other = stub(SIDEWAYS, NEW);
        List<?> cut = (List<?>) call(other, "lines", List.of(SIDEWAYS.make("Shop$Line", 1, order(SIDEWAYS, 1), "t")));
        assertEquals("Line[n=1, order=" + OLD_ORDER + ", text=null]", cut.get(0).toString());
    }

    @Test
    void aMethodThatTheServerDoesNotHaveFailsAtItsCallAlone() throws Exception {
        Object stub = stub(NEW, OLD);
        assertEquals("server has no method restock(long) in service name=shop.Shop",
                failsWith(Status.UNIMPLEMENTED, () -> call(stub, "restock", 1L)).getMessage());
        Object old = stub(OLD, NEW);
        assertEquals("server has no method gone() in service name=shop.Shop",
                failsWith(Status.UNIMPLEMENTED, () -> call(old, "gone")).getMessage());
        assertEquals(OLD_ORDER, call(stub, "text", order(NEW, 1)));
    }

    @Test
    void aMethodThatChangedFailsAtItsCallAlone() throws Exception {
        Object stub = stub(NEW, OLD);
        assertEquals("shop.Shop/changed of client and server differ: the result is String in the client and int in the"
                + " server", failsWith(Status.FAILED_PRECONDITION, () -> call(stub, "changed", 1)).getMessage());
        assertEquals(OLD_ORDER, call(stub, "text", order(NEW, 1)));
    }

    @Test
    void aConstantThatThePeerDoesNotKnowFailsItsCall() throws Exception {
        Object stub = stub(NEW, OLD);
        Object hold = NEW.constant("Shop$Side", "HOLD");
        assertEquals("SELL", call(stub, "side", NEW.constant("Shop$Side", "SELL")).toString());
        String message = failsWith(Status.INTERNAL, () -> call(stub, "sideOrdinal", hold)).getMessage();
        assertTrue(message.contains("enum ordinal=2 constants=2"), message);
        Object old = stub(OLD, NEW);
        assertEquals("SELL", call(old, "sideOf", 1).toString());
        String back = failsWith(Status.INTERNAL, () -> call(old, "sideOf", 2)).getMessage();
        assertTrue(back.contains("enum ordinal=2 constants=2"), back);
        assertEquals("BUY", call(old, "sideOf", 0).toString());
    }

    @Test
    void anEnumMayHaveAConstantForThoseThatItDoesNotKnow() throws Exception {
        assertEquals("OTHER", call(stub(NEW, OLD), "kindName", NEW.constant("Shop$Kind", "FILM")));
        assertEquals("OTHER", call(stub(OLD, NEW), "kindOf", 2).toString());
        assertEquals("FILM", call(stub(NEW, NEW), "kindOf", 2).toString());
    }

    @Test
    void oneWayCallsGoByTheSameRules() throws Exception {
        Object stub = stub(OLD, NEW);
        call(stub, "noteGone", order(OLD, 1)); // nobody hears of it, and the session lives on
        call(stub, "note", order(OLD, 1));
        assertEquals(List.of(CUT_ORDER), call(stub, "noted"));
        Object other = stub(NEW, OLD);
        call(other, "noteNew", order(NEW, 1));
        call(other, "note", order(NEW, 1));
        assertEquals(List.of(OLD_ORDER), call(other, "noted"));
    }

    /** Sends orders there and back as streams. */
    private static List<Object> mirrored(Object stub, Object... orders) throws Exception {
        List<Object> back = new ArrayList<>();
        Object publisher = call(stub, "mirror", Streams.<Object>writing(writer -> {
            for (Object order : orders) {
                writer.write(order);
            }
        }));
        try (StreamReader<?> reader = Streams.reader((Flow.Publisher<?>) publisher)) {
            while (reader.hasNext()) {
                back.add(reader.next());
            }
        }
        return back;
    }

    @Test
    void elementsOfStreamsGoByTheSameRules() throws Exception {
        assertEquals(List.of(order(NEW, 1), order(NEW, 2)), mirrored(stub(NEW, NEW), order(NEW, 1), order(NEW, 2)));
        assertEquals(CUT_ORDER + CUT_ORDER, mirrored(stub(NEW, OLD), order(NEW, 1), order(NEW, 1)).stream()
                .map(Object::toString).reduce("", String::concat));
        assertEquals(OLD_ORDER + OLD_ORDER, mirrored(stub(OLD, NEW), order(OLD, 1), order(OLD, 1)).stream()
                .map(Object::toString).reduce("", String::concat));
        assertEquals(OLD_ORDER, mirrored(stub(SIDEWAYS, OLD), order(SIDEWAYS, 1)).get(0).toString());
    }

    private static RpcException streamFails(Status status, Object stub, String name) {
        return failsWith(status, () -> {
            try (StreamReader<?> reader = Streams.reader((Flow.Publisher<?>) call(stub, name, 1))) {
                reader.hasNext();
            }
        });
    }

    @Test
    void methodsWithStreamsThatAreNewOrChangedFailAtTheirCallAlone() throws Exception {
        Object stub = stub(NEW, OLD);
        assertEquals("server has no method added(int) in service name=shop.Shop",
                streamFails(Status.UNIMPLEMENTED, stub, "added").getMessage());
        assertEquals("shop.Shop/changedElements of client and server differ: the result is stream of long in the client"
                + " and stream of int in the server",
                streamFails(Status.FAILED_PRECONDITION, stub, "changedElements").getMessage());
        String message = failsWith(Status.UNIMPLEMENTED, () -> call(stub, "changedArgument",
                Streams.writingLongs(writer -> writer.writeLong(1)))).getMessage();
        assertEquals("server has no method changedArgument(stream of long) in service name=shop.Shop; it has"
                + " changedArgument(stream of int)", message);
        assertEquals(CUT_ORDER, mirrored(stub, order(NEW, 1)).get(0).toString());
    }

    @Test
    void futuresGoByTheSameRules() throws Exception {
        CompletableFuture<?> old = (CompletableFuture<?>) call(stub(OLD, NEW), "later", 5L);
        assertEquals("Order[id=5, symbol=S5, side=SELL]", old.get(60, TimeUnit.SECONDS).toString());
        CompletableFuture<?> cut = (CompletableFuture<?>) call(stub(NEW, OLD), "later", 5L);
        assertEquals("Order[id=5, symbol=S5, side=SELL, note=null, lots=0, parts=null]",
                cut.get(60, TimeUnit.SECONDS).toString());
    }

    @Test
    void theAsynchronousTwinGoesByTheSameRules() throws Exception {
        RpcClient client = connect(OLD);
        Object twin = client.asyncStub(NEW.<Object>type("Shop"), NEW.<Object>type("ShopAsync"));
        CompletableFuture<?> echo = (CompletableFuture<?>) call(twin, "echo", order(NEW, 1));
        assertEquals(CUT_ORDER, echo.get(60, TimeUnit.SECONDS).toString());
    }

    @Test
    void stubsOfTwoVersionsShareAClient() throws Exception {
        RpcClient client = connect(OLD);
        Object old = client.stub(OLD.type("Shop"));
        Object changed = client.stub(NEW.type("Shop"));
        Object again = client.stub(NEW.type("Shop"));
        for (int i = 0; i < 3; i++) {
            assertEquals(OLD_ORDER, call(old, "echo", order(OLD, 1)).toString());
            assertEquals(CUT_ORDER, call(changed, "echo", order(NEW, 1)).toString());
            assertEquals(CUT_ORDER, call(again, "echo", order(NEW, 1)).toString());
            call(old, "gone");
        }
    }

    @Test
    void interfacesWithNothingInCommonAreRefusedAtTheStub() {
        RpcClient client = connect(OLD);
        String message = failsWith(Status.FAILED_PRECONDITION, () -> client.stub(FOREIGN.type("Shop"))).getMessage();
        assertTrue(message.contains("client has foreign()void"), message);
    }
}
