package org.jvrpc.samples.cookbook.streams;

import java.util.concurrent.Flow;
import org.jvrpc.api.RpcService;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.Streams;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** A result that is a stream: the call is made when somebody subscribes, and waits for no element. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class ServerStreams {

    private ServerStreams() {
    }

    // snippet begins
    @RpcService
    public interface Feed {
        Flow.Publisher<Long> squares(int count);
    }

    public static void main(String[] args) {
        Feed feed = count -> Streams.writing(writer -> {
            for (long i = 1; i <= count; i++) {
                writer.write(i * i); // waits while the reader has no room: at most a window is under way
            }
        });
        try (RpcServer server = RpcServer.builder().bind("shm://cookbook-feed").service(Feed.class, feed).start();
             RpcClient client = RpcClient.connect("shm://cookbook-feed");
             StreamReader<Long> squares = Streams.reader(client.stub(Feed.class).squares(1_000_000))) {
            long sum = 0;
            for (int i = 0; i < 4 && squares.hasNext(); i++) {
                sum += squares.next();
            }
            System.out.println(sum); // closing the reader cancels the other 999,996
        }
    }
    // snippet ends
}
