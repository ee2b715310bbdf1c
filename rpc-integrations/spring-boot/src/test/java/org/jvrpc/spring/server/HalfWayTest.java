package org.jvrpc.spring.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.spring.ImportJvrpcClients;
import org.jvrpc.spring.JvrpcConfigurationException;
import org.jvrpc.spring.config.Causes;
import org.jvrpc.spring.orders.Contexts;
import org.jvrpc.spring.orders.Greeter;
import org.jvrpc.spring.orders.GreeterBean;
import org.jvrpc.testing.Holdings;
import org.jvrpc.testing.SharedMemoryFolder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;

/** A context that fails when some of it runs leaves nothing behind: no address, thread, socket, file or mapping. */
class HalfWayTest {

    /** Fails behind the servers. */
    static class FailsToStart implements SmartLifecycle {
        @Override
        public void start() {
            throw new IllegalStateException("planted");
        }

        @Override
        public void stop() {
        }

        @Override
        public boolean isRunning() {
            return false;
        }
    }

    /** Fails when everything has started. */
    static class FailsWhenRefreshed {
        @EventListener
        void refreshed(ContextRefreshedEvent event) {
            throw new IllegalStateException("planted");
        }
    }

    @ImportJvrpcClients(value = "orders", types = Greeter.class)
    static class Calls {
    }

    private final String shared = SharedMemoryFolder.freshAddress();
    private final String inside = Contexts.freshAddress();

    private ApplicationContextRunner with(Class<?>... more) {
        return Contexts.of(GreeterBean.class, Calls.class).withUserConfiguration(more)
                .withPropertyValues("jvrpc.server.addresses=" + shared + "," + inside,
                        "jvrpc.clients.orders.address=" + shared, "jvrpc.clients.orders.connect=eager");
    }

    /** The first context of a process makes what stays for the next ones. */
    private Holdings before() {
        with().run(context -> assertThat(context).hasNotFailed());
        return Holdings.settled();
    }

    private void nothingIsLeft(Holdings before) {
        Holdings.awaitNoMoreThan(before);
        for (String address : new String[] {shared, inside}) {
            try (RpcServer server = RpcServer.builder().bind(address).service(Greeter.class, name -> name).start();
                    RpcClient client = RpcClient.connect(server.address())) {
                assertEquals("x", client.stub(Greeter.class).greet("x"));
            }
        }
    }

    @Test
    void whenTheSecondServerCannotStart() {
        Holdings before = before();
        try (RpcServer other = RpcServer.builder().bind(inside).service(Greeter.class, name -> name).start()) {
            assertThat(other.address()).isEqualTo(inside);
            with().run(context -> {
                JvrpcConfigurationException failure =
                        Causes.of(context.getStartupFailure(), JvrpcConfigurationException.class);
                assertThat(failure).hasMessageContaining("the server address-1 cannot start at " + inside);
                assertThat(failure.action()).contains("jvrpc.server.addresses[1]");
            });
        }
        nothingIsLeft(before);
    }

    @Test
    void whenAnotherBeanCannotStart() {
        Holdings before = before();
        with(FailsToStart.class).run(context -> assertThat(context.getStartupFailure()).rootCause()
                .hasMessage("planted"));
        nothingIsLeft(before);
    }

    @Test
    void whenAListenerFailsBehindAllThatHasStarted() {
        Holdings before = before();
        with(FailsWhenRefreshed.class).run(context -> assertThat(context.getStartupFailure())
                .hasMessage("planted"));
        nothingIsLeft(before);
    }

    @Test
    void whenAClientFindsNoServer() {
        Holdings before = before();
        with().withPropertyValues("jvrpc.clients.orders.address=" + SharedMemoryFolder.freshAddress())
                .run(context -> assertThat(
                        Causes.of(context.getStartupFailure(), JvrpcConfigurationException.class).action())
                        .contains("jvrpc.clients.orders.address"));
        nothingIsLeft(before);
    }
}
