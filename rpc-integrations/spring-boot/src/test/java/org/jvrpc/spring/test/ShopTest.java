package org.jvrpc.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.jvrpc.spring.JvrpcClient;
import org.jvrpc.spring.JvrpcClients;
import org.jvrpc.spring.orders.Greeter;
import org.jvrpc.spring.orders.Slow;
import org.jvrpc.spring.test.shop.ShopApplication;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.actuate.endpoint.CompositeHealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.SpringBootTest;

/** The whole application, as it starts in production, with what the actuator says of it. */
@SpringBootTest(classes = ShopApplication.class, properties = {
    "jvrpc.server.addresses=inproc://shop",
    "jvrpc.clients.greeter.address=inproc://shop",
    "spring.threads.virtual.enabled=true",
    "management.endpoint.health.show-details=always"})
class ShopTest {

    @JvrpcClient("greeter")
    private Greeter greeter;
    @Autowired
    private JvrpcClients clients;
    @Autowired
    private HealthEndpoint health;

    private Status statusOf(String name) {
        return ((CompositeHealthDescriptor) health.health()).getComponents().get(name).getStatus();
    }

    @Test
    void callsWorkAndHealthSaysSo() {
        assertEquals("Welcome, you", greeter.greet("you"));
        assertEquals(Status.UP, statusOf("jvrpcServers"));
        assertEquals(Status.UP, statusOf("jvrpcClients"));
    }

    @Test
    void heavyMethodsRunOnVirtualThreadsWhereTheJdkHasThem() {
        String thread = clients.stub("greeter", Slow.class).work("it");
        assertThat(thread).contains(Runtime.version().feature() >= 21 ? "VirtualThread" : "jvrpc-heavy");
    }
}
