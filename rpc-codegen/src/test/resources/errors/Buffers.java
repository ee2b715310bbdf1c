package org.acme;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.InPlace;
import org.jvrpc.api.Into;
import org.jvrpc.api.Nullable;
import org.jvrpc.api.OneWay;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;

@RpcService
interface Buffers {

    void intoArray(@Into byte[] into); // ERROR @Into parameter into is byte[]: it must be a java.nio.ByteBuffer

    void intoTwice(
            @Into ByteBuffer first,
            @Into ByteBuffer second); // ERROR intoTwice has two @Into parameters: one buffer can carry bytes back

    CompletableFuture<Integer> intoLater(@Into ByteBuffer into); // ERROR @Into parameter into: intoLater is one-way or asynchronous, so no bytes come back before it returns

    @OneWay
    void intoOneWay(@Into ByteBuffer into); // ERROR @Into parameter into: intoOneWay is one-way or asynchronous, so no bytes come back before it returns

    String intoAndText(@Into ByteBuffer into); // ERROR @Into parameter into: intoAndText returns java.lang.String, but beside a buffer it can return only void or a primitive

    Integer intoAndBoxed(@Into ByteBuffer into); // ERROR @Into parameter into: intoAndBoxed returns java.lang.Integer, but beside a buffer it can return only void or a primitive

    void intoNull(@Into @Nullable ByteBuffer into); // ERROR @Into parameter into cannot be @Nullable

    void inPlaceArray(@InPlace byte[] bytes); // ERROR @InPlace parameter bytes is byte[]: it must be a java.nio.ByteBuffer

    CompletableFuture<Integer> inPlaceLater(@InPlace ByteBuffer bytes); // ERROR @InPlace parameter bytes: inPlaceLater is heavy or asynchronous, but the view ends before its handler does

    @RpcMethod(heavy = true)
    void inPlaceHeavy(@InPlace ByteBuffer bytes); // ERROR @InPlace parameter bytes: inPlaceHeavy is heavy or asynchronous, but the view ends before its handler does

    void inPlaceNull(@InPlace @Nullable ByteBuffer bytes); // ERROR @InPlace parameter bytes cannot be @Nullable
}
