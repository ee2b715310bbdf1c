package org.jvrpc.spring.orders;

import org.jvrpc.spring.JvrpcService;

@JvrpcService
public class GreeterBean implements Greeter {
    @Override
    public String greet(String name) {
        return "Hello, " + name;
    }
}
