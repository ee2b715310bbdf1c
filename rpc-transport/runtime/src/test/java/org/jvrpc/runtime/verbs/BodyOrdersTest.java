package org.jvrpc.runtime.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.testing.interleaving.Interleavings;
import org.jvrpc.testing.interleaving.SteppedClasses;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.VerbsException;

/** Two threads at the bodies of one session, in every order of what each does under a monitor, or to the device. */
class BodyOrdersTest {

    private static final String SYNCHRONIZED = "synchronized \\(this\\)";
    private static final String STEPPED = "synchronized (STEP(this))";
    private static final ByteBuffer MEMORY = ByteBuffer.allocate(1 << 20);
    private static SteppedClasses stepped;

    @BeforeAll
    static void compile(@TempDir Path folder) throws IOException {
        stepped = new SteppedClasses(BodyOrdersTest.class, Path.of(System.getProperty("jvrpc.root"),
                "rpc-transport/runtime/src/main/java"), folder)
                .with("SessionDomain", SYNCHRONIZED, STEPPED, "(!)(count)\\(\\)", "!STEP(this).count()",
                        "pd\\.", "STEP(pd).", "(?<=    )end\\(\\);", "STEP(this).end();")
                .with("BodyShelf", SYNCHRONIZED, STEPPED, "domain\\.(allocate|free)", "STEP(domain).$1",
                        "(takeMade|makeDo|dropUnused)\\((?=[^)]*\\)( :|;|\\.))", "STEP(this).$1(");
    }

    private static void all(Class<? extends Interleavings.Race> race, int least)
            throws ReflectiveOperationException, InterruptedException {
        int orders = stepped.all(race);
        assertTrue(orders >= least, "orders=" + orders);
    }

    /** The bodies of a session on a device that counts. */
    abstract static class Session implements Interleavings.Race {

        int domains = 1;
        int regions;
        final BodyPool pool = new BodyPool(new SessionDomain(device(), null));

        private Device device() {
            return port(Device.class, (name, arguments) -> port(ProtectionDomain.class, this::domain));
        }

        private Object domain(String name, Object[] arguments) {
            if (name.equals("close")) {
                assertEquals(0, regions, "the domain is closed before its regions are");
                assertEquals(0, --domains, "the domain is closed twice");
                return null;
            }
            if (domains == 0) {
                throw new VerbsException("reg_mr", "the domain is closed");
            }
            regions++;
            boolean[] closed = {false};
            return port(MemoryRegion.class, (call, of) -> switch (call) {
                case "length" -> arguments[0];
                case "buffer" -> MEMORY;
                case "close" -> {
                    assertTrue(!closed[0], "a region is closed twice");
                    closed[0] = true;
                    regions--;
                    yield null;
                }
                default -> throw new UnsupportedOperationException(call);
            });
        }

        /** Takes a body, uses it and gives it back; false when the session is over. */
        boolean use() {
            RegionBody body;
            try {
                body = pool.take(1 << 20);
            } catch (RpcException e) {
                assertEquals(Status.UNAVAILABLE, e.status());
                return false;
            }
            pool.give(body);
            return true;
        }
    }

    private interface Call {
        Object answer(String name, Object[] arguments);
    }

    private static <T> T port(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (proxy, method, arguments) -> call.answer(method.getName(), arguments)));
    }

    /** A call has a body while its session ends. */
    static final class UseAndClose extends Session {

        @Override
        public void first() {
            use();
        }

        @Override
        public void second() {
            pool.close();
        }

        @Override
        public void end() {
            assertEquals(0, regions, "regions that are left");
            assertEquals(0, domains, "domains that are left");
        }
    }

    @Test
    void nothingIsLeftOfASessionThatEndsWhileABodyIsTaken() throws Exception {
        all(UseAndClose.class, 20);
    }

    /** Two calls have a body each. */
    static final class TakeTwo extends Session {

        private final RegionBody[] taken = new RegionBody[2];

        @Override
        public void first() {
            taken[0] = pool.take(1 << 20);
        }

        @Override
        public void second() {
            taken[1] = pool.take(1 << 20);
        }

        @Override
        public void end() {
            assertNotSame(taken[0], taken[1]);
            assertNotSame(taken[0].slab(), taken[1].slab());
            pool.give(taken[0]);
            pool.give(taken[1]);
            pool.close();
            assertEquals(0, regions + domains, "left behind");
        }
    }

    @Test
    void aBodyIsOneCalls() throws Exception {
        all(TakeTwo.class, 10);
    }
}
