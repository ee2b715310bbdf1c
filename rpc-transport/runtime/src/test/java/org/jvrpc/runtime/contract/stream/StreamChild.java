package org.jvrpc.runtime.contract.stream;

import java.nio.ByteBuffer;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.Streams;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.Parent;

/** The other process of tests of streams: {@code serve ADDRESS}, {@code read ADDRESS} or {@code write ADDRESS}. */
public final class StreamChild {

    private static final int BUFFER_BYTES = 10_000;
    private static final int SOON = 1000;

    private StreamChild() {
    }

    static ChildJvm start(String role, String address) {
        ChildJvm child = JavaCommand.of(StreamChild.class).option("-Xmx256m").arguments(role, address).start();
        child.expect("READY");
        return child;
    }

    /** Runs a role. */
    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "serve" -> {
                RpcServer.builder().bind(arguments[1]).service(Feed.class, new FeedImpl()).start();
                Parent.say("READY");
            }
            case "read" -> read(RpcClient.connect(arguments[1]).stub(Feed.class));
            default -> write(RpcClient.connect(arguments[1]).stub(Feed.class));
        }
        Parent.idle();
    }

    private static void read(Feed feed) {
        try (StreamReader.OfLong reader = Streams.longReader(feed.count(Long.MAX_VALUE))) {
            for (long i = 0; reader.nextLong() == i; i++) {
                if (i == SOON) {
                    Parent.say("READY");
                }
            }
        }
    }

    private static void write(Feed feed) throws Feed.NoFeedException {
        feed.measure(Streams.writing(writer -> {
            ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
            for (int i = 0; true; i++) {
                for (int at = 0; at < BUFFER_BYTES; at++) {
                    buffer.put(at, (byte) i);
                }
                writer.write(buffer);
                if (i == SOON) {
                    Parent.say("READY");
                }
            }
        }));
    }
}
