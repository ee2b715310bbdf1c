package org.jvrpc.runtime.offload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.offload.lookup.OffloadHost;
import org.jvrpc.runtime.OffloadSettings;
import org.jvrpc.runtime.contract.Quotes;
import org.jvrpc.runtime.contract.QuotesService;
import org.jvrpc.runtime.contract.Third;
import org.jvrpc.runtime.service.MethodOffer;
import org.jvrpc.runtime.service.ServiceTable;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.VerbsException;

/** What a server offers to programs, what it refuses to, and who hears of it. */
class ServerOffloadsTest {

    private static final int METHODS = ServiceDescriptor.of(Quotes.class).methods().size();

    private final OffloadRig rig = new OffloadRig();

    @AfterEach
    void close() {
        rig.close();
    }

    /** Returns what a client hears that opens the service. */
    private MethodOffer[] heard() {
        ByteBuffer memory = ByteBuffer.allocateDirect(1 << 13);
        WireWriter out = new WireWriter();
        out.reset(memory, 0, 1 << 12, null, null);
        ServiceTable.writeOpen(out, ServiceDescriptor.of(Quotes.class));
        WireReader in = new WireReader();
        in.reset(memory, 0, out.length(), null);
        WireWriter answer = new WireWriter();
        answer.reset(memory, 1 << 12, 1 << 13, null, null);
        rig.services.open(in, answer, new ServiceTable.Method[0]);
        in.reset(memory, 1 << 12, answer.length(), null);
        assertEquals(0, in.readInt());
        return MethodOffer.readAll(in, METHODS);
    }

    private static String refused(org.junit.jupiter.api.function.Executable misuse) {
        return assertThrows(IllegalArgumentException.class, misuse).getMessage();
    }

    @Test
    void clientsHearOfWhatIsOffered() {
        String host = rig.address + ".offload";
        rig.offer("last(long)", new OffloadSettings().answerBytes(100));
        rig.offer("quote", new OffloadSettings().answerBytes(256));
        MethodOffer[] heard = heard();
        assertEquals(2, heard.length);
        assertEquals(new MethodOffer(3, 128, host, "last#0"), heard[0]);
        assertEquals(new MethodOffer(7, 256, host, "quote#1"), heard[1]);
    }

    @Test
    void whatWasOfferedIsFoundAgain() {
        MethodPublisher<Quotes> last = rig.offer("last(long)");
        MethodPublisher<Quotes> quote = rig.offer("quote");
        assertNotSame(last, quote);
        assertSame(last, rig.offloads.offered(Quotes.class, "last(long)"));
        assertSame(quote, rig.offloads.offered(Quotes.class, "quote"));
        assertEquals(QuotesService.NAME.fullName() + " is not offered",
                refused(() -> rig.offloads.offered(Quotes.class, "name")));
    }

    @Test
    void whatCannotBeOfferedIsNamed() {
        String begin = Quotes.class.getName() + " has ";
        assertEquals(begin + "no method name=first, or is no service of this server",
                refused(() -> rig.offer("first")));
        assertEquals(Third.class.getName() + " has no method name=sum, or is no service of this server",
                refused(() -> rig.offloads.offer(Third.class, "sum", new OffloadSettings())));
        assertEquals(begin + "methods=2 of the name last: give its parameters as the signature has them, such as "
                + QuotesService.LAST_LONG.signature(), refused(() -> rig.offer("last")));
        assertEquals(begin + "a method asked without @Offload", refused(() -> rig.offer("asked")));
        rig.offer("quote");
        assertEquals(QuotesService.QUOTE.fullName() + " is offered already", refused(() -> rig.offer("quote")));
        rig.offer("name");
    }

    @Test
    void aServerThatIsClosedOffersNothing() {
        rig.offloads.close();
        assertEquals("the server is closed: " + QuotesService.QUOTE.fullName(),
                assertThrows(IllegalStateException.class, () -> rig.offer("quote")).getMessage());
    }

    @Test
    void aServerThatIsClosedLeavesItsAddress() {
        rig.offer("quote");
        String address = rig.address + ".offload";
        assertThrows(VerbsException.class, () -> new OffloadHost(rig.serverDevice, address));
        rig.offloads.close();
        rig.offloads.close();
        new OffloadHost(rig.serverDevice, address).close();
    }

    private static <T> T port(Class<T> type, T real, String method, Answer answer) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (proxy, called, arguments) ->
                        called.getName().equals(method) ? answer.get() : called.invoke(real, arguments)));
    }

    /** What is returned or thrown instead. */
    private interface Answer {
        Object get() throws Throwable;
    }

    @Test
    void aDeviceThatRunsNoProgramsIsNamed() {
        VerbsException planted = new VerbsException("chains", "planted");
        ProtectionDomain pd = port(ProtectionDomain.class, rig.serverDevice.allocatePd(), "chains", () -> {
            throw planted;
        });
        Device device = port(Device.class, rig.serverDevice, "allocatePd", () -> pd);
        ServerOffloads offloads = new ServerOffloads(device, rig.address, rig.services, OffloadRig.GUARD);
        VerbsException e = assertThrows(VerbsException.class,
                () -> offloads.offer(Quotes.class, "quote", new OffloadSettings()));
        assertSame(planted, e.getCause());
        assertTrue(e.getMessage().contains(QuotesService.QUOTE.fullName() + " cannot be offered to programs by device "
                + rig.serverDevice.name()), e.getMessage());
        assertEquals(null, heard());
    }

    // ---- hosts

    @Test
    void clientsAreThoseOfTheMethod() {
        MethodPublisher<Quotes> last = rig.offer("last(long)");
        MethodPublisher<Quotes> quote = rig.offer("quote");
        assertEquals(List.of(), last.clients());
        OffloadedCall call = new OffloadedCall(rig.lookups(last, QuotesService.LAST_LONG, 512));
        call.join();
        assertEquals(1, last.clients().size());
        assertEquals(last.name(), last.clients().get(0).offer().name());
        assertEquals(List.of(), quote.clients());
        rig.offloads.close();
        assertEquals(List.of(), last.clients());
    }

    @Test
    void aMethodOfAnotherHostNeedsNoneOfTheServers() {
        MemoryRegion region = rig.serverDevice.allocatePd().allocate(1 << 20, Access.LOCAL_WRITE | Access.REMOTE_READ);
        OffloadSettings hosted = new OffloadSettings().capacity(3).hosted("shm://elsewhere", "theirs", region, 4096);
        MethodPublisher<Quotes> last = rig.offer("last(long)", hosted);
        assertEquals("shm://elsewhere", last.address());
        assertEquals("theirs", last.name());
        assertEquals(4096, last.header());
        assertEquals(List.of(), last.clients());
        assertArrayEquals(new MethodOffer[] {new MethodOffer(3, 512, "shm://elsewhere", "theirs")}, heard());
        new OffloadHost(rig.serverDevice, rig.address + ".offload").close();
        last.publish(q -> q.last(1), 11L);
        assertEquals(1, last.size());
    }
}
