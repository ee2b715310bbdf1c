package org.jvrpc.spring.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.reflection.Reflection;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.spring.JvrpcConfigurationException;
import org.jvrpc.spring.JvrpcServerCustomizer;
import org.jvrpc.spring.JvrpcServers;
import org.jvrpc.spring.JvrpcService;
import org.jvrpc.spring.config.Causes;
import org.jvrpc.spring.orders.Contexts;
import org.jvrpc.spring.orders.Greeter;
import org.jvrpc.spring.orders.GreeterBean;
import org.jvrpc.testing.SharedMemoryFolder;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class ServersTest {

    @Configuration(proxyBeanMethods = false)
    static class Local {
        @Bean
        @JvrpcService(listeners = "local")
        Greeter greeter() {
            return name -> "local " + name;
        }

        @Bean
        @JvrpcService(value = Greeter.class, listeners = "far")
        Object other() {
            Greeter greeter = name -> "far " + name;
            return greeter;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Proxied {
        @Bean
        @JvrpcService
        Greeter greeter() {
            return (Greeter) new ProxyFactory(new GreeterBean()).getProxy();
        }
    }

    @JvrpcService
    static class Nothing {
    }

    @JvrpcService(Greeter.class)
    static class Another {
    }

    @Configuration(proxyBeanMethods = false)
    static class Twice {
        @Bean
        @JvrpcService
        Greeter one() {
            return name -> name;
        }

        @Bean
        @JvrpcService
        Greeter two() {
            return name -> name;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Customized {
        @Bean
        JvrpcServerCustomizer reflecting() {
            return (listener, builder) -> builder.reflection(true);
        }
    }

    private static String greet(String address) {
        try (RpcClient client = RpcClient.connect(address)) {
            return client.stub(Greeter.class).greet("you");
        }
    }

    @Test
    void aBeanIsServedAtEachAddress() {
        String shared = SharedMemoryFolder.freshAddress();
        Contexts.of(GreeterBean.class)
                .withPropertyValues("jvrpc.server.addresses=" + shared + ",tcp://localhost:0",
                        "jvrpc.server.listeners.inside.address=" + Contexts.freshAddress())
                .run(context -> {
                    JvrpcServers servers = context.getBean(JvrpcServers.class);
                    assertThat(servers.running().keySet()).containsExactly("address-0", "address-1", "inside");
                    for (RpcServer server : servers.running().values()) {
                        assertEquals("Hello, you", greet(server.address()));
                    }
                    assertEquals(servers.running().get("inside").address(), servers.address("inside"));
                    assertThrows(IllegalStateException.class, servers::address);
                    assertThat(assertThrows(IllegalArgumentException.class, () -> servers.address("outside")))
                            .hasMessageContaining("outside").hasMessageContaining("inside");
                });
    }

    @Test
    void aBeanIsServedAtItsListenersAlone() {
        Contexts.of(Local.class)
                .withPropertyValues("jvrpc.server.listeners.local.address=" + Contexts.freshAddress(),
                        "jvrpc.server.listeners.far.address=tcp://localhost:0")
                .run(context -> {
                    JvrpcServers servers = context.getBean(JvrpcServers.class);
                    assertEquals("local you", greet(servers.address("local")));
                    assertEquals("far you", greet(servers.address("far")));
                });
    }

    @Test
    void aListenerThatNobodyKnowsIsRefused() {
        Contexts.of(Local.class)
                .withPropertyValues("jvrpc.server.listeners.local.address=" + Contexts.freshAddress())
                .run(context -> assertThat(
                        Causes.of(context.getStartupFailure(), JvrpcConfigurationException.class))
                        .hasMessage("the bean other is to be served by listener far, there are [local]"));
    }

    @Test
    void aProxyIsServed() {
        Contexts.of(Proxied.class).withPropertyValues("jvrpc.server.addresses=" + Contexts.freshAddress())
                .run(context -> assertEquals("Hello, you", greet(context.getBean(JvrpcServers.class).address())));
    }

    @Test
    void withoutServicesThereIsNoServer() {
        Contexts.of().withPropertyValues("jvrpc.server.addresses=" + Contexts.freshAddress())
                .run(context -> assertThat(context.getBean(JvrpcServers.class).running()).isEmpty());
    }

    @Test
    void nothingIsServedWhereServersAreNotEnabled() {
        Contexts.of(GreeterBean.class).withPropertyValues("jvrpc.server.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(JvrpcServers.class));
    }

    @Test
    void servicesWithoutAnAddressAreRefused() {
        Contexts.of(GreeterBean.class).run(context -> {
            JvrpcConfigurationException failure =
                    Causes.of(context.getStartupFailure(), JvrpcConfigurationException.class);
            assertThat(failure).hasMessageContaining("greeterBean");
            assertThat(failure.action()).contains("jvrpc.server.addresses");
        });
    }

    @Test
    void beansThatCannotBeServedAreRefused() {
        for (Class<?> each : List.of(Nothing.class, Another.class, Twice.class)) {
            Contexts.of(each).withPropertyValues("jvrpc.server.addresses=" + Contexts.freshAddress())
                    .run(context -> Causes.of(context.getStartupFailure(), JvrpcConfigurationException.class));
        }
    }

    @Test
    void customizersHaveTheLastWord() {
        Contexts.of(GreeterBean.class, Customized.class)
                .withPropertyValues("jvrpc.server.addresses=" + Contexts.freshAddress(),
                        "jvrpc.server.reflection=false")
                .run(context -> {
                    try (RpcClient client =
                            RpcClient.connect(context.getBean(JvrpcServers.class).address())) {
                        assertThat(client.stub(Reflection.class).services()).contains(Greeter.class.getName());
                    }
                });
    }

    @Test
    void aContextServesAgainAfterItWasStopped() {
        Contexts.of(GreeterBean.class).withPropertyValues("jvrpc.server.addresses=" + Contexts.freshAddress())
                .run(context -> {
                    String address = context.getBean(JvrpcServers.class).address();
                    context.stop();
                    assertEquals(Status.UNAVAILABLE,
                            assertThrows(RpcException.class, () -> RpcClient.connect(address)).status());
                    context.start();
                    assertEquals("Hello, you", greet(address));
                });
    }
}
