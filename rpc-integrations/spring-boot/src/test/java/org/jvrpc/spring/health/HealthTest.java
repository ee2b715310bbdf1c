package org.jvrpc.spring.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.health.ServingStatus;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.spring.ImportJvrpcClients;
import org.jvrpc.spring.JvrpcServers;
import org.jvrpc.spring.orders.Contexts;
import org.jvrpc.spring.orders.Greeter;
import org.jvrpc.spring.orders.GreeterBean;
import org.jvrpc.testing.Waits;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.ApplicationContext;

class HealthTest {

    private static final String GREETER = Greeter.class.getName();

    @ImportJvrpcClients(value = "greeter", types = Greeter.class)
    static class Calls {
    }

    private static Health health(ApplicationContext context, String name) {
        return context.getBean(name, HealthIndicator.class).health();
    }

    @Test
    void serversAreOutOfServiceWhileTheApplicationRefusesTraffic() {
        Contexts.of(GreeterBean.class).withPropertyValues("jvrpc.server.addresses=" + Contexts.freshAddress())
                .run(context -> {
                    RpcServer server = context.getBean(JvrpcServers.class).running().get("address-0");
                    assertEquals(Status.UP, health(context, "jvrpcServersHealthIndicator").getStatus());
                    AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
                    assertEquals(ServingStatus.NOT_SERVING, server.health().status(""));
                    assertEquals(ServingStatus.NOT_SERVING, server.health().status(GREETER));
                    Health refusing = health(context, "jvrpcServersHealthIndicator");
                    assertEquals(Status.OUT_OF_SERVICE, refusing.getStatus());
                    assertThat(refusing.getDetails().get("address-0").toString()).contains("NOT_SERVING", "inproc://");
                    AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
                    assertEquals(ServingStatus.SERVING, server.health().status(GREETER));
                    server.health().set(GREETER, ServingStatus.NOT_SERVING);
                    AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
                    assertEquals(ServingStatus.NOT_SERVING, server.health().status(GREETER));
                });
    }

    @Test
    void serversStayInServiceWhereTheyDoNotFollow() {
        Contexts.of(GreeterBean.class)
                .withPropertyValues("jvrpc.server.addresses=" + Contexts.freshAddress(),
                        "jvrpc.server.follow-readiness=false")
                .run(context -> {
                    AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
                    assertEquals(Status.UP, health(context, "jvrpcServersHealthIndicator").getStatus());
                });
    }

    @Test
    void clientsAreUnknownThenDownThenUpThenDown() {
        String address = Contexts.freshAddress();
        Contexts.of(Calls.class).withPropertyValues("jvrpc.clients.greeter.address=" + address).run(context -> {
            assertEquals(Status.UNKNOWN, health(context, "jvrpcClientsHealthIndicator").getStatus());
            Greeter greeter = context.getBean(Greeter.class);
            assertThrows(RpcException.class, () -> greeter.greet("x"));
            Health down = health(context, "jvrpcClientsHealthIndicator");
            assertEquals(Status.DOWN, down.getStatus());
            assertThat(down.getDetails().get("greeter").toString()).contains("LOST", address);
            try (RpcServer server = RpcServer.builder().bind(address).service(Greeter.class, n -> n).start()) {
                assertEquals("x", greeter.greet("x"));
                Health up = health(context, "jvrpcClientsHealthIndicator");
                assertEquals(Status.UP, up.getStatus());
                assertThat(up.getDetails().get("greeter").toString()).contains(server.address() + "=READY");
            }
            Waits.until("the client to be down",
                    () -> health(context, "jvrpcClientsHealthIndicator").getStatus() == Status.DOWN);
        });
    }

    @Test
    void thereIsNoHealthWhereItIsNotWantedOrThereIsNoActuator() {
        Contexts.of().withPropertyValues("management.health.jvrpc.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
        Contexts.of().withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("jvrpcServersHealthIndicator"));
    }
}
