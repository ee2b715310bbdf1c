package org.acme;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.jvrpc.api.InPlace;
import org.jvrpc.api.Into;
import org.jvrpc.api.Nullable;
import org.jvrpc.api.Offload;
import org.jvrpc.api.OneWay;
import org.jvrpc.api.RpcService;

@RpcService
interface Streams {
    long two(Flow.Publisher<Long> one,
            Flow.Publisher<Long> other); // ERROR two has two parameters that are streams: put one kind of element into one stream

    long nested(Flow.Publisher<Flow.Publisher<Long>> streams); // ERROR parameter streams: java.util.concurrent.Flow.Publisher<java.util.concurrent.Flow.Publisher<java.lang.Long>> cannot travel: the elements of a stream are values, not streams

    @OneWay
    void fire(Flow.Publisher<Long> values); // ERROR @OneWay method fire has a stream, which is answered, as its end is: leave @OneWay out

    @Offload // ERROR @Offload method look has a stream: a program finds one answer
    Flow.Publisher<Long> look(long key);

    @SuppressWarnings("rawtypes")
    long raw(Flow.Publisher values); // ERROR parameter values: java.util.concurrent.Flow.Publisher: name the type of a stream's elements

    long any(Flow.Publisher<?> values); // ERROR parameter values: java.util.concurrent.Flow.Publisher<?>: name the type of a stream's elements

    long some(Flow.Publisher<? extends Number> values); // ERROR parameter values: java.util.concurrent.Flow.Publisher<? extends java.lang.Number>: name the type of a stream's elements

    Flow.Publisher<@Nullable String> holes(); // ERROR result of holes: java.lang.String cannot be @Nullable: a stream, or an element of one, is never null

    long none(@Nullable Flow.Publisher<String> values); // ERROR parameter values: java.util.concurrent.Flow.Publisher<java.lang.String> cannot be @Nullable: a stream, or an element of one, is never null

    long in(Flow.Publisher<@InPlace String> values); // ERROR parameter values: @InPlace parameter of elements is java.lang.String: it must be a java.nio.ByteBuffer

    void fill(Flow.Publisher<Long> values, @Into ByteBuffer into); // ERROR @Into parameter into: fill has a stream, and its result is not copied into a caller's buffer

    long late(Flow.Publisher<Long> values, @InPlace ByteBuffer bytes); // ERROR @InPlace parameter bytes: late is heavy or asynchronous, but the view ends before its handler does

    void list(List<Flow.Publisher<Long>> streams); // ERROR parameter streams: java.util.concurrent.Flow.Publisher<java.lang.Long> cannot travel: only a parameter or a method's result may be a Flow.Publisher, by that name

    CompletableFuture<Flow.Publisher<Long>> later(); // ERROR result of later: java.util.concurrent.Flow.Publisher<java.lang.Long> cannot travel: only a parameter or a method's result may be a Flow.Publisher, by that name

    long both(Flow.Processor<Long, Long> values); // ERROR parameter values: java.util.concurrent.Flow.Processor<java.lang.Long,java.lang.Long> cannot travel: only a parameter or a method's result may be a Flow.Publisher, by that name

    long thread(Flow.Publisher<Thread> values); // ERROR parameter values: java.lang.Thread cannot travel: it belongs to its process
}
