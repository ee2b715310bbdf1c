package org.jvrpc.spring.test.shop;

import org.jvrpc.spring.ImportJvrpcClients;
import org.jvrpc.spring.orders.Greeter;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
@ImportJvrpcClients(value = "greeter", types = Greeter.class)
public class ShopApplication {
}
