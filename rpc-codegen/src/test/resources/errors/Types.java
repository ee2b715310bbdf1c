package org.acme;

import java.io.InputStream;
import java.nio.IntBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jvrpc.api.RpcService;

@RpcService
interface Types {

    void object(Object value); // ERROR parameter value: java.lang.Object does not say which classes travel: name them in @RpcService(objects = ...)

    void function(Function<String, String> value); // ERROR parameter value: java.util.function.Function<java.lang.String,java.lang.String> cannot travel: code does not travel; use data

    void runnable(Runnable value); // ERROR parameter value: java.lang.Runnable cannot travel: code does not travel; use data

    Stream<String> stream(); // ERROR result of stream: java.util.stream.Stream<java.lang.String> cannot travel: collect it into a List

    InputStream inputStream(); // ERROR result of inputStream: java.io.InputStream cannot travel: it is a resource of its process; use its content

    void thread(
            int fine,
            Thread thread); // ERROR parameter thread: java.lang.Thread cannot travel: it belongs to its process

    void type(Class<?> type); // ERROR parameter type: java.lang.Class<?> cannot travel: use its name

    void path(Path path); // ERROR parameter path: java.nio.file.Path cannot travel: use its text

    void executor(Executor executor); // ERROR parameter executor: java.util.concurrent.Executor cannot travel: it belongs to its process

    void buffer(IntBuffer buffer); // ERROR parameter buffer: java.nio.IntBuffer cannot travel: use java.nio.ByteBuffer or an array

    void exception(IllegalStateException exception); // ERROR parameter exception: java.lang.IllegalStateException cannot travel: declare it in the throws clause, or use its message

    void future(List<CompletableFuture<String>> futures); // ERROR parameter futures: java.util.concurrent.CompletableFuture<java.lang.String> cannot travel: only a method's result may be a CompletableFuture

    void anything(List<?> list); // ERROR parameter list: ?: a wildcard without an upper bound does not say what travels

    void lower(Map<String, ? super Integer> map); // ERROR parameter map: ? super java.lang.Integer: a wildcard without an upper bound does not say what travels

    @SuppressWarnings("rawtypes")
    void raw(List list); // ERROR parameter list: java.util.List is raw: name its type arguments

    void deep(Map<String, List<Thread[]>> map); // ERROR parameter map: java.lang.Thread cannot travel: it belongs to its process

    void abstractClass(Number number); // ERROR parameter number: java.lang.Number does not say which classes travel: name them in @RpcService(objects = ...)

    void unknownInterface(Comparable<String> value); // ERROR parameter value: java.lang.Comparable<java.lang.String> does not say which classes travel: name them in @RpcService(objects = ...)

    void inner(Outer.Inner inner); // ERROR parameter inner: org.acme.Types.Outer.Inner is an inner class and would take its outer object along: make it static

    void nothing(Void nothing); // ERROR parameter nothing: java.lang.Void cannot travel: use void

    void throughRecord(Holder holder); // ERROR parameter holder: Holder.threads: java.lang.Thread cannot travel: it belongs to its process

    void throughField(Graph graph); // ERROR parameter graph: Graph.painter: java.lang.Thread cannot travel: it belongs to its process

    void endless(Endless endless); // ERROR parameter endless: every Endless would hold another one: reach it through @Nullable, Optional or a collection

    void wildcardRecord(Box<? extends Number> box); // ERROR parameter box: org.acme.Types.Box<? extends java.lang.Number>: name the type arguments of a record

    record Holder(String name, List<Thread> threads) {
    }

    record Endless(int value, Endless next) {
    }

    record Box<T>(T value) {
    }

    class Graph {
        Thread painter;
    }

    class Outer {
        class Inner {
        }
    }
}
