package hello;

import org.jvrpc.api.RpcService;

@RpcService
public interface Greeter {
    String greet(String name);
}
