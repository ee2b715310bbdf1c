package org.jvrpc.samples.spring.client;

import org.jvrpc.samples.spring.orders.Orders;
import org.jvrpc.spring.ImportJvrpcClients;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;

/** Calls for some seconds and ends. Where to, says {@code client.properties}. */
@SpringBootApplication
@EnableConfigurationProperties(ShopperProperties.class)
@ImportJvrpcClients(value = "orders", types = Orders.class)
public class ClientApplication {

    /** Starts it. The exit code is 0 when calls worked. */
    public static void main(String[] arguments) {
        System.exit(SpringApplication.exit(new SpringApplicationBuilder(ClientApplication.class)
                .properties("spring.config.name=client").run(arguments)));
    }
}
