package org.acme;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.Nullable;
import org.jvrpc.api.OneWay;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;

@RpcService
interface Methods {

    <T> T generic(T value); // ERROR generic has type parameters of its own: both sides must know the types, so name them

    @OneWay
    int oneWayResult(); // ERROR @OneWay method oneWayResult returns int, but it has no answer: return void

    @OneWay
    CompletableFuture<Void> oneWayFuture(); // ERROR @OneWay method oneWayFuture returns java.util.concurrent.CompletableFuture<java.lang.Void>, but it has no answer: return void

    @OneWay
    void oneWayThrows() throws IOException; // ERROR @OneWay method oneWayThrows declares exceptions, but it has no answer

    @RpcMethod(deadline = "soon") // ERROR deadline "soon" is not a positive number with a unit of ns us ms s m h, such as "250us" or "2s"
    void deadlineWithoutNumber();

    @RpcMethod(deadline = "0s") // ERROR deadline "0s" is not a positive number with a unit of ns us ms s m h, such as "250us" or "2s"
    void deadlineZero();

    @RpcMethod(deadline = "9999999999h") // ERROR deadline "9999999999h" is not a positive number with a unit of ns us ms s m h, such as "250us" or "2s"
    void deadlineTooLong();

    @RpcMethod(heavy = true)
    default void local() { // ERROR @RpcMethod on local has no effect: a method with a body stays local
    }

    @Nullable
    int nullablePrimitive(); // ERROR result of nullablePrimitive: int is a primitive and cannot be @Nullable

    CompletableFuture<?> futureOfAnything(); // ERROR result of futureOfAnything: java.util.concurrent.CompletableFuture<?> needs a type argument that names a type

    @SuppressWarnings("rawtypes")
    CompletableFuture rawFuture(); // ERROR result of rawFuture: java.util.concurrent.CompletableFuture needs a type argument that names a type
}
