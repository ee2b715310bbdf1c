package org.jvrpc.spring.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.RpcService;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.spring.ImportJvrpcClients;
import org.jvrpc.spring.JvrpcClient;
import org.jvrpc.spring.JvrpcClientCustomizer;
import org.jvrpc.spring.JvrpcClients;
import org.jvrpc.spring.JvrpcConfigurationException;
import org.jvrpc.spring.JvrpcService;
import org.jvrpc.spring.config.Causes;
import org.jvrpc.spring.orders.Contexts;
import org.jvrpc.spring.orders.Greeter;
import org.jvrpc.spring.orders.GreeterAsync;
import org.jvrpc.spring.orders.GreeterBean;
import org.jvrpc.spring.orders.Slow;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class StubsTest {

    @ImportJvrpcClients(value = "here", types = Greeter.class)
    @ImportJvrpcClients(value = "there", basePackages = "org.jvrpc.spring.orders")
    static class Both {
    }

    @ImportJvrpcClients(types = Greeter.class)
    static class One {
    }

    @ImportJvrpcClients(types = Runnable.class)
    static class NoService {
    }

    @ImportJvrpcClients(value = "a.b", types = Greeter.class)
    static class BadName {
    }

    @ImportJvrpcClients(basePackages = "org.jvrpc.spring.nowhere")
    static class NoPackage {
    }

    /** Injected as users write it. */
    static class User {
        final Greeter here;
        @JvrpcClient("there")
        Greeter there;
        @JvrpcClient("there")
        GreeterAsync later;
        @Autowired
        Slow slow;

        User(@JvrpcClient("here") Greeter here) {
            this.here = here;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithMetadata {
        @Bean
        JvrpcClientCustomizer metadata() {
            return new JvrpcClientCustomizer() {
                @Override
                public void customize(String client, RpcClient.Builder builder) {
                    builder.intercept((call, next) -> {
                        call.metadata().put("b", client);
                        next.proceed();
                    });
                }

                @Override
                public CallOptions options(String client, CallOptions options) {
                    return options.withMetadata("a", client);
                }
            };
        }
    }

    private static RpcServer greeter(String address, String word) {
        return RpcServer.builder().bind(address).context(true).service(Greeter.class, name -> word + name
                + RpcServer.context().metadata().get("a") + RpcServer.context().metadata().get("b")).start();
    }

    @Test
    void stubsAreInjectedByTypeAndByClient() {
        String here = Contexts.freshAddress();
        String there = Contexts.freshAddress();
        try (RpcServer one = greeter(here, "one "); RpcServer two = greeter(there, "two ")) {
            Contexts.of(Both.class, User.class)
                    .withPropertyValues("jvrpc.clients.here.address=" + one.address(),
                            "jvrpc.clients.there.address=" + two.address())
                    .run(context -> {
                        User user = context.getBean(User.class);
                        assertEquals("one xnullnull", user.here.greet("x"));
                        assertEquals("two xnullnull", user.there.greet("x"));
                        assertEquals("two xnullnull", user.later.greet("x").get(60, TimeUnit.SECONDS));
                        assertEquals(Status.UNIMPLEMENTED,
                                assertThrows(RpcException.class, () -> user.slow.work("x")).status());
                        assertThat(context.getBean(JvrpcClients.class).names()).containsExactly("here", "there");
                    });
        }
    }

    @Test
    void aClientConnectsAtItsFirstCallAndTriesAgainAtTheNext() {
        String address = Contexts.freshAddress();
        Contexts.of(One.class).withPropertyValues("jvrpc.clients.default.address=" + address).run(context -> {
            Greeter stub = context.getBean(Greeter.class);
            RpcException none = assertThrows(RpcException.class, () -> stub.greet("x"));
            assertEquals(Status.UNAVAILABLE, none.status());
            assertFalse(none.mayHaveRun());
            try (RpcServer server = greeter(address, "")) {
                assertEquals(address, server.address());
                assertEquals("xnullnull", stub.greet("x"));
            }
        });
    }

    @Test
    void aServiceAndItsStubAreToldApart() {
        String address = Contexts.freshAddress();
        Contexts.of(One.class, GreeterBean.class)
                .withPropertyValues("jvrpc.server.addresses=" + address, "jvrpc.clients.default.address=" + address,
                        "jvrpc.clients.default.connect=eager")
                .run(context -> {
                    assertThat(context.getBeansOfType(Greeter.class)).hasSize(2);
                    assertEquals(ClientState.Connection.CONNECTED,
                            context.getBean(ClientRegistry.class).states().get("default").connection());
                    assertThat(context.getBeansWithAnnotation(JvrpcService.class)).hasSize(1);
                });
    }

    @Test
    void customizersChangeBuildersAndOptions() {
        try (RpcServer server = greeter(Contexts.freshAddress(), "")) {
            Contexts.of(One.class, WithMetadata.class)
                    .withPropertyValues("jvrpc.clients.default.address=" + server.address())
                    .run(context -> assertEquals("xdefaultdefault", context.getBean(Greeter.class).greet("x")));
        }
    }

    @Test
    void closedContextsCallNoMore() {
        try (RpcServer server = greeter(Contexts.freshAddress(), "")) {
            Greeter[] stub = new Greeter[1];
            Contexts.of(One.class).withPropertyValues("jvrpc.clients.default.address=" + server.address())
                    .run(context -> stub[0] = context.getBean(Greeter.class));
            assertEquals(Status.UNAVAILABLE, assertThrows(RpcException.class, () -> stub[0].greet("x")).status());
        }
    }

    @Test
    void whatCannotBeImportedIsRefused() {
        assertThat(refusal(NoService.class)).hasMessageContaining(Runnable.class.getName());
        assertThat(refusal(BadName.class)).hasMessageContaining("\"a.b\"");
        assertThat(refusal(NoPackage.class)).hasMessageContaining("org.jvrpc.spring.nowhere");
    }

    private static JvrpcConfigurationException refusal(Class<?> configuration) {
        JvrpcConfigurationException[] refusal = new JvrpcConfigurationException[1];
        Contexts.of(configuration).run(context ->
                refusal[0] = Causes.of(context.getStartupFailure(), JvrpcConfigurationException.class));
        return refusal[0];
    }

    /** An interface that is nested: its generated code is named another way. */
    @RpcService
    interface Nested {
        int one();
    }

    @ImportJvrpcClients(types = Nested.class)
    static class ImportsNested {
    }

    @Test
    void nestedInterfacesAreImportedByType() {
        Contexts.of(ImportsNested.class).withPropertyValues("jvrpc.clients.default.address=shm://nobody")
                .run(context -> assertThat(context).hasSingleBean(Nested.class));
    }
}
