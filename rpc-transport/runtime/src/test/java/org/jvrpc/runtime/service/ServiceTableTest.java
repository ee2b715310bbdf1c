package org.jvrpc.runtime.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.contract.Third;
import org.jvrpc.runtime.contract.ThirdService;
import org.jvrpc.runtime.contract.Twin;
import org.jvrpc.runtime.contract.TwinService;
import org.jvrpc.runtime.session.RpcHeader;

class ServiceTableTest {

    private final ServiceTable table = new ServiceTable();
    private final ByteBuffer memory = ByteBuffer.allocateDirect(1 << 16);
    private ServiceTable.Method[] opened = new ServiceTable.Method[0];

    private int open(ServiceDescriptor<?> service) {
        WireWriter out = new WireWriter();
        out.reset(memory, 0, memory.capacity() - 8, null, null);
        ServiceTable.writeOpen(out, service);
        WireReader in = new WireReader();
        in.reset(memory, 0, out.length(), null);
        WireWriter answer = new WireWriter();
        answer.reset(memory, memory.capacity() - 8, memory.capacity(), null, null);
        opened = table.open(in, answer, opened);
        WireReader read = new WireReader();
        read.reset(memory, memory.capacity() - 8, 4, null);
        return read.readInt();
    }

    @Test
    void methodsOfServicesFollowEachOther() {
        table.add(ServiceDescriptor.of(Twin.class), text -> text);
        table.add(ServiceDescriptor.of(Calls.class), new CallsImpl());
        table.add(ServiceDescriptor.of(Third.class), number -> number);
        int third = 1 + new CallsService().methods().size();
        assertEquals(0, open(new TwinService()));
        assertEquals(1, open(new CallsService()));
        assertEquals(third, open(new ThirdService()));
        assertEquals("say", opened[0].descriptor().name());
        assertEquals("sum", opened[third].descriptor().name());
        assertEquals(third + 1, opened.length);
    }

    @Test
    void whatIsNotOpenedIsNamed() {
        table.add(ServiceDescriptor.of(Twin.class), text -> text);
        table.add(ServiceDescriptor.of(Third.class), number -> number);
        assertEquals(1, open(new ThirdService()));
        assertNull(opened[0]);
        assertEquals("sum", opened[1].descriptor().name());
        RpcException unopened = table.unopened(0);
        assertEquals(Status.FAILED_PRECONDITION, unopened.status());
        assertTrue(unopened.getMessage().contains(Twin.class.getName() + "/say"), unopened.getMessage());
        assertEquals(Status.UNIMPLEMENTED, table.unopened(2).status());
    }

    @Test
    void anUnknownServiceIsToldWithThoseThereAre() {
        table.add(ServiceDescriptor.of(Third.class), number -> number);
        RpcException e = assertThrows(RpcException.class, () -> open(new TwinService()));
        assertEquals(Status.UNIMPLEMENTED, e.status());
        assertTrue(e.getMessage().contains(Twin.class.getName()) && e.getMessage().contains("[third]"), e.getMessage());
    }

    @Test
    void aServiceIsAddedOnce() {
        table.add(ServiceDescriptor.of(Third.class), number -> number);
        assertThrows(IllegalArgumentException.class,
                () -> table.add(ServiceDescriptor.of(Third.class), number -> number));
        assertEquals(0, open(new ThirdService()));
    }

    @Test
    void aTableWithoutServicesIsEmpty() {
        assertTrue(table.isEmpty());
        table.add(ServiceDescriptor.of(Third.class), number -> number);
        assertFalse(table.isEmpty());
    }

    private List<String> found(String service, String name) {
        return table.find(service, name).stream().map(method -> method.descriptor().signature()).toList();
    }

    @Test
    void methodsAreFoundByNameOrByTheBeginningOfTheirSignature() {
        table.add(ServiceDescriptor.of(Twin.class), text -> text);
        table.add(ServiceDescriptor.of(Calls.class), new CallsImpl());
        String calls = Calls.class.getName();
        List<String> add = found(calls, "add");
        assertEquals(1, add.size());
        String signature = add.get(0);
        String beginning = signature.substring(0, signature.indexOf(')') + 1);
        assertEquals(add, found(calls, beginning));
        assertEquals(List.of(), found(calls, beginning.substring(0, beginning.length() - 1)), "not to its end");
        assertEquals(List.of(), found(calls, "x)"));
        assertEquals(List.of(), found(Twin.class.getName(), "add"));
        assertEquals(List.of(), found("unknown", "add"));
        for (MethodDescriptor method : new CallsService().methods()) {
            assertTrue(table.find(calls, method.name()).stream().anyMatch(found -> found.descriptor().equals(method)));
        }
    }

    @Test
    void whoOpensAServiceHearsOfWhatProgramsAnswer() {
        table.add(ServiceDescriptor.of(Third.class), number -> number);
        String third = new ThirdService().name();
        MethodOffer offer = new MethodOffer(0, 64, "shm://a.offload", "third#0");
        MethodOffer other = new MethodOffer(0, 128, "shm://b.offload", "third#1");
        table.offer(third, offer);
        table.offer(third, other);
        table.offer("unknown", other);
        WireWriter out = new WireWriter();
        out.reset(memory, 0, 1024, null, null);
        ServiceTable.writeOpen(out, new ThirdService());
        WireReader in = new WireReader();
        in.reset(memory, 0, out.length(), null);
        WireWriter answer = new WireWriter();
        answer.reset(memory, 1024, 2048, null, null);
        table.open(in, answer, opened);
        in.reset(memory, 1024, answer.length(), null);
        assertEquals(0, in.readInt());
        assertArrayEquals(new MethodOffer[] {offer, other}, MethodOffer.readAll(in, 1));
    }

    @Test
    void whatIsNotHereIsToldByItsNumber() {
        table.add(ServiceDescriptor.of(Third.class), number -> number);
        assertEquals("no method number=1 here", table.unopened(1).getMessage());
        assertEquals("session has not opened the service of method number=0: third/sum",
                table.unopened(0).getMessage());
    }

    @Test
    void aServiceThatIsAddedTwiceIsNamed() {
        table.add(ServiceDescriptor.of(Third.class), number -> number);
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
                () -> table.add(ServiceDescriptor.of(Third.class), number -> number));
        assertEquals("service name=third is added twice", e.getMessage());
    }

    /** Asks to open a service by a fingerprint and signatures that may be others; returns the length of the answer. */
    private int openAs(long fingerprint, String... signatures) {
        WireWriter out = new WireWriter();
        out.reset(memory, 0, memory.capacity() / 2, null, null);
        out.writeString("third");
        out.writeLong(fingerprint);
        out.writeCount(signatures.length);
        for (String signature : signatures) {
            out.writeString(signature);
            out.writeLong(1);
        }
        WireReader in = new WireReader();
        in.reset(memory, 0, out.length(), null);
        WireWriter answer = new WireWriter();
        answer.reset(memory, memory.capacity() / 2, memory.capacity(), null, null);
        opened = table.open(in, answer, opened);
        return answer.length();
    }

    private String difference(String... signatures) {
        long fingerprint = new ThirdService().fingerprint() + 1;
        RpcException e = assertThrows(RpcException.class, () -> openAs(fingerprint, signatures));
        assertEquals(Status.FAILED_PRECONDITION, e.status());
        String begin = String.format("interface of service name=third differs: server fingerprint=%016x client"
                + " fingerprint=%016x: ", new ThirdService().fingerprint(), fingerprint);
        assertTrue(e.getMessage().startsWith(begin), e.getMessage());
        return e.getMessage().substring(begin.length());
    }

    @Test
    void interfacesWithoutACommonMethodAreToldByTheMethodsThatDiffer() {
        table.add(ServiceDescriptor.of(Third.class), number -> number);
        String sum = new ThirdService().methods().get(0).signature();
        assertEquals("server has " + sum, difference());
        assertEquals("server has " + sum + "; client has sum()void", difference("sum()void"));
        String longest = "x".repeat(200);
        assertEquals("server has " + sum + "; client has " + longest, difference(longest));
        assertEquals("server has " + sum + "; client has " + longest + "…", difference(longest + "x"));
    }

    @Test
    void eightMethodsThatDifferAreNamedAtMost() {
        table.add(ServiceDescriptor.of(Third.class), number -> number);
        String[] seven = IntStream.range(0, 7).mapToObj(i -> "m" + i + "()void").toArray(String[]::new);
        assertTrue(difference(seven).endsWith("; client has m6()void"), difference(seven));
        String[] eight = IntStream.range(0, 8).mapToObj(i -> "m" + i + "()void").toArray(String[]::new);
        assertTrue(difference(eight).endsWith("; client has m6()void; …"), difference(eight));
    }

    @Test
    void aClientOfAnotherVersionHasNumbersOfItsOwnInItsOrder() {
        table.add(ServiceDescriptor.of(Twin.class), text -> text);
        table.add(ServiceDescriptor.of(Third.class), number -> number);
        String sum = new ThirdService().methods().get(0).signature();
        assertEquals(12, openAs(1, "also()void", sum, "what is this"));
        assertEquals(5, opened.length);
        assertNull(opened[0], "what is not opened");
        assertEquals("sum", opened[3].descriptor().name());
        assertEquals(0, opened[3].descriptor().index());
        assertEquals("server has no method also() in service name=third",
                refusal(opened[2], Status.UNIMPLEMENTED));
        assertEquals("server has no method ?what is this() in service name=third",
                refusal(opened[4], Status.UNIMPLEMENTED));
        ServiceTable.Method[] before = opened;
        openAs(1, "also()void", sum, "what is this");
        assertSame(before, opened, "the same version again has the same numbers");
        openAs(2, sum);
        assertEquals(6, opened.length);
        assertEquals("sum", opened[5].descriptor().name());
        assertEquals(1, open(new ThirdService()), "the equal version has the table's numbers");
    }

    private static String refusal(ServiceTable.Method method, Status status) {
        RpcException e = assertThrows(RpcException.class, () -> method.skeleton().dispatch(0, null));
        assertEquals(status, e.status());
        return e.getMessage();
    }

    @Test
    void aMethodThatDiffersIsToldAtItsCall() {
        table.add(ServiceDescriptor.of(Third.class), number -> number);
        table.add(new Wide("other", 1), new Object());
        String sum = new ThirdService().methods().get(0).signature();
        String key = sum.substring(0, sum.indexOf(')') + 1);
        openAs(1, sum, "m()void");
        assertTrue(refusal(opened[3], Status.UNIMPLEMENTED).endsWith("no method m() in service name=third"));
        openAs(2, sum, key + "String throws org.acme.E{}", "sum()void");
        assertTrue(refusal(opened[6], Status.UNIMPLEMENTED).endsWith("; it has " + key));
        assertTrue(refusal(opened[5], Status.FAILED_PRECONDITION).contains(
                "third/sum of client and server differ: the result is String in the client and "));
    }

    @Test
    void theMethodsOfOtherVersionsInASessionAreBounded() {
        table.add(ServiceDescriptor.of(Third.class), number -> number);
        String sum = new ThirdService().methods().get(0).signature();
        for (int i = 0; i < Opening.MAX_METHODS; i++) {
            openAs(i + 1, sum);
        }
        RpcException e = assertThrows(RpcException.class, () -> openAs(0, sum));
        assertEquals(Status.RESOURCE_EXHAUSTED, e.status());
        assertEquals("a session has too many methods of other versions: 4097 limit=4096", e.getMessage());
        assertEquals(1 + Opening.MAX_METHODS, opened.length);
    }

    @Test
    void signaturesAreReadUpToABound() {
        table.add(ServiceDescriptor.of(Third.class), number -> number);
        ByteBuffer larger = ByteBuffer.allocateDirect(1 << 19);
        WireWriter out = new WireWriter();
        out.reset(larger, 0, larger.capacity(), null, null);
        out.writeCount(1);
        out.writeString("x".repeat((1 << 18) + 1));
        out.writeLong(0);
        WireReader in = new WireReader();
        in.reset(larger, 0, out.length(), null);
        assertEquals("signatures of service name=third are longer than chars=262144",
                assertThrows(RpcException.class, () -> Opening.readClient("third", 1, in)).getMessage());
        WireReader many = new WireReader();
        out.rewind();
        out.writeCount(Opening.MAX_METHODS + 1);
        many.reset(larger, 0, larger.capacity(), null);
        assertEquals("service name=third has more methods than 4096: 4097",
                assertThrows(RpcException.class, () -> Opening.readClient("third", 1, many)).getMessage());
    }

    @Test
    void whoOpensAServiceSaysAllThatTellsItFromAnother() {
        CallsService calls = new CallsService();
        WireWriter out = new WireWriter();
        out.reset(memory, 0, memory.capacity(), null, null);
        ServiceTable.writeOpen(out, calls);
        WireReader in = new WireReader();
        in.reset(memory, 0, out.length(), null);
        assertEquals(calls.name(), in.readString());
        assertEquals(calls.fingerprint(), in.readLong());
        assertEquals(calls.methods().size(), in.readCount(12));
        for (MethodDescriptor method : calls.methods()) {
            assertEquals(method.signature(), in.readString());
            assertEquals(method.fingerprint(), in.readLong());
        }
        assertEquals(calls.objectsFingerprint(), in.readLong());
        assertNotEquals(0, calls.objectsFingerprint());
        assertEquals(0, in.remaining());
    }

    /** A service of so many methods. */
    private record Wide(String name, int count) implements ServiceDescriptor<Object> {

        @Override
        public long fingerprint() {
            return 1;
        }

        @Override
        public List<MethodDescriptor> methods() {
            return IntStream.range(0, count)
                    .mapToObj(i -> new MethodDescriptor(i, name, "m" + i, "m" + i, i, false, false, 0, false)).toList();
        }

        @Override
        public List<Class<?>> objectClasses() {
            return List.of();
        }

        @Override
        public Object stub(RpcChannel channel) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Object asyncStub(RpcChannel channel) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Class<?> asyncInterface() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Skeleton skeleton(Object implementation) {
            return (index, call) -> { };
        }
    }

    @Test
    void thereAreAsManyMethodsAsHaveNumbers() {
        table.add(new Wide("first", 1), this);
        table.add(new Wide("second", RpcHeader.OPEN - 1), this);
        assertEquals("m65533", table.find("second", "m65533").get(0).descriptor().name());
        assertEquals("too many methods: 65536", assertThrows(IllegalArgumentException.class,
                () -> table.add(new Wide("third", 1), this)).getMessage());
    }
}
