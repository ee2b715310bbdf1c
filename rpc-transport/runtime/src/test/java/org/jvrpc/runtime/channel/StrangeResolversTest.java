package org.jvrpc.runtime.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.channel.lookup.Target;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.resolve.NameResolver;
import org.jvrpc.runtime.resolve.ServerEntry;
import org.jvrpc.runtime.session.Settings;

/** Resolvers of others' making that throw, tell nothing, or tell what is no answer. */
class StrangeResolversTest {

    private static final String TARGET = "strange://one";

    private final AtomicInteger closed = new AtomicInteger();

    /** One that fails wherever it is asked. */
    private final class Strange implements NameResolver {

        private final Consumer<Listener> start;

        Strange(Consumer<Listener> start) {
            this.start = start;
        }

        @Override
        public void start(Listener listener) {
            start.accept(listener);
        }

        @Override
        public void refresh() {
            throw new IllegalStateException("refresh, as the test wants");
        }

        @Override
        public void close() {
            closed.incrementAndGet();
            throw new IllegalStateException("close, as the test wants");
        }
    }

    private BalancedCore begin(Consumer<NameResolver.Listener> start, BalancedCore.Connector connector) {
        return begin(start, connector, new Settings());
    }

    private BalancedCore begin(Consumer<NameResolver.Listener> start, BalancedCore.Connector connector,
            Settings settings) {
        BalancedCore core = new BalancedCore(Target.of(TARGET, true, new Strange(start)), settings,
                new ChannelOptions(), connector);
        core.begin();
        return core;
    }

    private RpcException failure(Consumer<NameResolver.Listener> start) {
        Settings brief = new Settings();
        brief.connectTimeout(Duration.ofMillis(20));
        return assertThrows(RpcException.class,
                () -> begin(start, (address, whenLost) -> new FakeLink(address), brief));
    }

    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().filter(Thread::isAlive).map(Thread::getName)
                .filter(name -> name.startsWith("jvrpc-") && name.contains("one")).collect(Collectors.toSet());
    }

    @Test
    void whatAResolverThrowsAtItsStartIsTheUsersAndNothingIsLeft() {
        IllegalStateException planted = new IllegalStateException("start, as the test wants");
        assertSame(planted, assertThrows(IllegalStateException.class, () -> begin(listener -> {
            throw planted;
        }, null)));
        assertEquals(1, closed.get());
        Await.until("its threads to end", () -> threads().isEmpty());
    }

    @Test
    void oneThatNeverAnswersIsWaitedForAsLongAsConnectionsMayTake() {
        RpcException e = failure(listener -> { });
        assertEquals(Status.UNAVAILABLE, e.status());
        assertTrue(e.getMessage().contains(TARGET) && e.getMessage().contains("they are being looked up"),
                e.getMessage());
        assertEquals(1, closed.get());
    }

    @Test
    void nullInPlaceOfServersIsAFailureOfTheResolver() {
        for (List<ServerEntry> told : Arrays.<List<ServerEntry>>asList(null, Arrays.asList((ServerEntry) null))) {
            RpcException e = failure(listener -> listener.onServers(told));
            assertEquals(Status.INTERNAL, e.status());
            assertTrue(e.getMessage().contains("told null"), e.getMessage());
        }
        assertTrue(failure(listener -> listener.onError(null)).getMessage().contains("no reason"));
    }

    @Test
    void oneThatFailsWhenItIsAskedAgainDisturbsNoCall() {
        FakeLink[] link = new FakeLink[1];
        BalancedCore core = begin(listener -> listener.onServers(List.of(ServerEntry.of("a", "tcp://a:1"))),
                (address, whenLost) -> link[0] = new FakeLink(address));
        FakeLink first = link[0];
        first.connected = false;
        core.pass(); // as a call that finds out does
        Await.until("another connection", () -> link[0] != first && core.isConnected());
        core.close();
        assertEquals(1, closed.get());
        Await.until("its threads to end", () -> threads().isEmpty());
    }
}
