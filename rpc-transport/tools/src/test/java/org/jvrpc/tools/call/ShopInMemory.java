package org.jvrpc.tools.call;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import org.jvrpc.api.ErrorDetails;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.Streams;

/** Answers, mostly with what was sent. */
public final class ShopInMemory implements Shop {

    final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    @Override
    public All echo(All all) {
        return all;
    }

    @Override
    public Tree grow(Tree tree) {
        return tree;
    }

    @Override
    public long sum(long left, long right) {
        return left + right;
    }

    @Override
    public String sum(String left, String right, String third) {
        return left + right + third;
    }

    @Override
    public int over(int value) {
        return value + 1;
    }

    @Override
    public String over(String value) {
        return value + "!";
    }

    @Override
    public String find(long id) throws LostException {
        if (id == 13) {
            throw new RpcException(Status.RESOURCE_EXHAUSTED, "no more").withDetails(
                    ErrorDetails.of("OVER_QUOTA", "shop").withRetryAfter(Duration.ofMillis(50)));
        }
        throw new LostException(id);
    }

    @Override
    public String slow(String text) {
        return text == null ? "nothing" : text;
    }

    @Override
    public void tell(String text) {
        told.add(text);
    }

    @Override
    public void fill(String text, ByteBuffer target) {
        target.put(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Flow.Publisher<Leg> legs(int count) {
        return Streams.writing(writer -> {
            for (int i = 0; i < count; i++) {
                writer.write(new Leg(i, i == 1 ? "XETR" : null));
            }
            if (count == 3) {
                throw new LostException(3);
            }
        });
    }

    @Override
    public long total(Flow.Publisher<Leg> legs) {
        long total = 0;
        try (StreamReader<Leg> reader = Streams.reader(legs)) {
            while (reader.hasNext()) {
                total += reader.next().instrument();
            }
        }
        return total;
    }

    @Override
    public Flow.Publisher<Long> doubled(Flow.Publisher<Long> numbers) {
        return Streams.writing(writer -> {
            try (StreamReader<Long> reader = Streams.reader(numbers)) {
                while (reader.hasNext()) {
                    writer.write(2 * reader.next());
                    writer.flush();
                }
            }
        });
    }

    @Override
    public TreeMap<String, String> graph(TreeMap<String, String> graph) {
        return graph;
    }
}
