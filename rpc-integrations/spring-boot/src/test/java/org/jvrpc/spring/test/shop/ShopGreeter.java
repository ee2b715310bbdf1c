package org.jvrpc.spring.test.shop;

import org.jvrpc.spring.JvrpcService;
import org.jvrpc.spring.orders.Greeter;

@JvrpcService
class ShopGreeter implements Greeter {
    @Override
    public String greet(String name) {
        return "Welcome, " + name;
    }
}
