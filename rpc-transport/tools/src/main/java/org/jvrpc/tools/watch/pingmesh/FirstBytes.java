package org.jvrpc.tools.watch.pingmesh;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;

/** Takes the first {@value #MOST} bytes of an answer as text, and no more: who answers may say what it likes. */
final class FirstBytes implements BodySubscriber<String> {

    static final int MOST = 200;

    private final CompletableFuture<String> body = new CompletableFuture<>();
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private Subscription from;

    @Override
    public CompletionStage<String> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        from = subscription;
        from.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> more) {
        for (ByteBuffer each : more) {
            byte[] bytes = new byte[Math.min(each.remaining(), MOST - taken.size())];
            each.get(bytes);
            taken.writeBytes(bytes);
        }
        if (taken.size() == MOST) {
            from.cancel();
            onComplete();
        }
    }

    @Override
    public void onError(Throwable why) {
        body.completeExceptionally(why);
    }

    @Override
    public void onComplete() {
        body.complete(taken.toString(StandardCharsets.UTF_8));
    }
}
