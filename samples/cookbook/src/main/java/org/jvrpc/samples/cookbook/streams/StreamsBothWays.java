package org.jvrpc.samples.cookbook.streams;

import java.util.Locale;
import java.util.concurrent.Flow;
import org.jvrpc.api.RpcService;
import org.jvrpc.api.stream.StreamPipe;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.Streams;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** A conversation: a pipe's writer and a reader, used by turns. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class StreamsBothWays {

    private StreamsBothWays() {
    }

    // snippet begins
    @RpcService
    public interface Shouting {
        Flow.Publisher<String> shout(Flow.Publisher<String> lines);
    }

    public static void main(String[] args) {
        Shouting shouting = lines -> Streams.writing(writer -> {
            try (StreamReader<String> reader = Streams.reader(lines)) {
                while (reader.hasNext()) {
                    writer.write(reader.next().toUpperCase(Locale.ROOT));
                    writer.flush(); // now, and not when a few have come together
                }
            }
        });
        try (RpcServer server = RpcServer.builder().bind("shm://cookbook-shout").service(Shouting.class, shouting)
                     .start();
             RpcClient client = RpcClient.connect("shm://cookbook-shout");
             StreamPipe<String> lines = Streams.pipe();
             StreamReader<String> shouted = Streams.reader(client.stub(Shouting.class).shout(lines.publisher()))) {
            for (String line : new String[] {"hello", "is anybody there?"}) {
                lines.write(line);
                lines.flush();
                System.out.println(shouted.next());
            }
            lines.close();
            System.out.println("more: " + shouted.hasNext());
        }
    }
    // snippet ends
}
