package org.jvrpc.opentelemetry;

import io.opentelemetry.api.baggage.Baggage;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.Streams;
import org.slf4j.LoggerFactory;

/** Any thread. */
final class ShopImpl implements Shop {

    final Queue<String> told = new ConcurrentLinkedQueue<>();
    final Queue<CompletableFuture<Integer>> open = new ConcurrentLinkedQueue<>();
    volatile Shop behind;
    volatile Runnable inHandler = () -> { };
    volatile SubmissionPublisher<Integer> publisher;

    @Override
    public int add(int a, int b) {
        inHandler.run();
        return a + b;
    }

    @Override
    public int addHeavily(int a, int b) {
        LoggerFactory.getLogger(Shop.class).info("adding");
        return add(a, b);
    }

    @Override
    public int fail(String how) {
        if (how.equals("unchecked")) {
            throw new IllegalStateException("boom");
        }
        throw new RpcException(Status.valueOf(how), "as told");
    }

    @Override
    public void tell(String what) {
        inHandler.run();
        told.add(what + " " + Baggage.current().getEntryValue("who"));
    }

    @Override
    public CompletableFuture<Integer> later(int a) {
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        open.add(answer);
        return answer;
    }

    @Override
    public Flow.Publisher<Integer> count(int most) {
        if (most < 0) {
            publisher = new SubmissionPublisher<>();
            return publisher;
        }
        return Streams.writing(writer -> {
            for (int i = 0; i < most; i++) {
                writer.write(i);
            }
        });
    }

    @Override
    public long sum(Flow.Publisher<Integer> values) {
        long sum = 0;
        try (StreamReader<Integer> reader = Streams.reader(values)) {
            while (reader.hasNext()) {
                sum += reader.next();
            }
        }
        return sum;
    }

    @Override
    public int askBehind(int a) {
        return behind.add(a, 1);
    }

    List<String> told() {
        return List.copyOf(told);
    }
}
