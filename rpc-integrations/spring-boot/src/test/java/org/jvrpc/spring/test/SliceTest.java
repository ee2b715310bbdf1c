package org.jvrpc.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.jvrpc.spring.JvrpcClient;
import org.jvrpc.spring.JvrpcServers;
import org.jvrpc.spring.orders.Greeter;
import org.jvrpc.spring.orders.Slow;
import org.jvrpc.spring.test.shop.ShopApplication;
import org.jvrpc.spring.test.shop.Warehouse;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.ContextConfiguration;

/** Properties have no address for anybody. */
@JvrpcTest(stubs = Slow.class)
@ContextConfiguration(classes = ShopApplication.class)
class SliceTest {

    @JvrpcClient("greeter")
    private Greeter greeter;
    @JvrpcClient
    private Slow slow;
    @Autowired
    private ApplicationContext context;

    @Test
    void stubsOfTheApplicationAndOfTheTestCallItsServices() {
        assertEquals("Welcome, you", greeter.greet("you"));
        assertThat(slow.work("it")).startsWith("it by ");
    }

    @Test
    void nothingElseIsStarted() {
        assertThat(context.getBeansOfType(Warehouse.class)).isEmpty();
        assertThat(context.getBean(JvrpcServers.class).address()).startsWith("inproc://jvrpc-test-")
                .isEqualTo(context.getEnvironment().getProperty(JvrpcTest.ADDRESS));
    }
}
