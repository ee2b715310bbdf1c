package org.acme;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.Into;
import org.jvrpc.api.Offload;
import org.jvrpc.api.OneWay;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;

@RpcService
interface Offloads {

    @Offload
    String fine(long key);

    @Offload // ERROR @Offload method nothing returns nothing that a program could find: return what the arguments stand for
    void nothing(long key);

    @OneWay
    @Offload // ERROR @Offload method tell is one-way: there is no answer that a program could find
    void tell(long key);

    @Offload // ERROR @Offload method later returns java.util.concurrent.CompletableFuture<java.lang.String>: a program answers before the call returns, so return the value
    CompletableFuture<String> later(long key);

    @Offload // ERROR @Offload method into has the @Into parameter room, but it is known by its arguments alone
    int into(long key, @Into ByteBuffer room);

    @RpcMethod(heavy = true)
    @Offload // ERROR @Offload method heavy is heavy: the server looks its answers up, so it must be light
    String heavy(long key);

    @Offload
    default String local(long key) { // ERROR @Offload on local has no effect: a method with a body stays local
        return "";
    }
}
