package org.jvrpc.spring.orders;

import org.jvrpc.api.RpcService;

@RpcService
public interface Greeter {
    String greet(String name);
}
