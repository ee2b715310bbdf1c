package org.jvrpc.spring.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.ServerInterceptor;
import org.jvrpc.spring.ImportJvrpcClients;
import org.jvrpc.spring.JvrpcClient;
import org.jvrpc.spring.orders.Contexts;
import org.jvrpc.spring.orders.Greeter;
import org.jvrpc.spring.orders.GreeterBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

class InterceptorsTest {

    private static final List<String> SEEN = Collections.synchronizedList(new ArrayList<>());

    @Configuration(proxyBeanMethods = false)
    @ImportJvrpcClients(types = Greeter.class)
    static class Interceptors {

        @Bean
        @Order(2)
        ClientInterceptor innerClient() {
            return client("client 2");
        }

        @Bean
        @Order(1)
        ClientInterceptor outerClient() {
            return client("client 1");
        }

        @Bean
        ServerInterceptor lastServer() {
            return server("server last");
        }

        @Bean
        @Order(20)
        ServerInterceptor innerServer() {
            return server("server 20");
        }

        @Bean
        @Order(-1)
        ServerInterceptor outerServer() {
            return server("server -1");
        }

        private static ClientInterceptor client(String name) {
            return (call, next) -> {
                SEEN.add(name);
                next.proceed();
            };
        }

        private static ServerInterceptor server(String name) {
            return (call, next) -> {
                SEEN.add(name);
                next.proceed();
            };
        }
    }

    static class User {
        @JvrpcClient
        Greeter greeter;
    }

    @Test
    void beansStandAroundCallsInTheirOrder() {
        String address = Contexts.freshAddress();
        Contexts.of(Interceptors.class, GreeterBean.class, User.class)
                .withPropertyValues("jvrpc.server.addresses=" + address, "jvrpc.clients.default.address=" + address)
                .run(context -> {
                    SEEN.clear();
                    context.getBean(User.class).greeter.greet("x");
                    assertThat(SEEN).containsExactly(
                            "client 1", "client 2", "server -1", "server 20", "server last");
                });
    }
}
