package org.jvrpc.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.spring.JvrpcClient;
import org.jvrpc.spring.JvrpcServers;
import org.jvrpc.spring.orders.Greeter;
import org.jvrpc.spring.orders.Slow;
import org.jvrpc.spring.test.shop.ShopApplication;
import org.jvrpc.spring.test.shop.ShopSlow;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.ContextConfiguration;

/** Contexts are closed with the JVM by default, and the folder of shared memory with the class. */
@DirtiesContext
@JvrpcTest(services = ShopSlow.class, stubs = Slow.class, transport = JvrpcTest.Transport.SHM)
@ContextConfiguration(classes = ShopApplication.class)
class NarrowSliceTest {

    @Test
    void onlyTheServicesThatAreNamedAreStarted(
            @JvrpcClient Slow slow, @JvrpcClient("greeter") Greeter greeter, @Autowired JvrpcServers servers) {
        assertThat(servers.address()).startsWith("shm://");
        assertThat(slow.work("it")).startsWith("it by ");
        assertEquals(Status.UNIMPLEMENTED, assertThrows(RpcException.class, () -> greeter.greet("you")).status());
    }
}
