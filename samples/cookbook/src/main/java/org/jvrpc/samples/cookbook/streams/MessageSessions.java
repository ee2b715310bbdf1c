package org.jvrpc.samples.cookbook.streams;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.jvrpc.runtime.MessageClient;
import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.runtime.MessageServer;

/** Frames of bytes both ways, without a service: for protocols that have their own. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class MessageSessions {

    private MessageSessions() {
    }

    // snippet begins
    public static void main(String[] args) {
        MessageHandler echo = (session, frame) -> session.send(frame);
        AtomicReference<String> answer = new AtomicReference<>();
        MessageHandler listen = (session, frame) -> answer.set(StandardCharsets.UTF_8.decode(frame).toString());
        try (MessageServer server = MessageServer.builder().bind("shm://cookbook-frames").handler(() -> echo).start();
             MessageClient client = MessageClient.builder("shm://cookbook-frames", listen).connect()) {
            client.send(ByteBuffer.wrap("a frame, ".getBytes(StandardCharsets.UTF_8)),
                    ByteBuffer.wrap("in two pieces".getBytes(StandardCharsets.UTF_8)));
            while (answer.get() == null) {
                client.poll(1_000_000); // waits up to a millisecond
            }
            System.out.println(answer.get());
        }
    }
    // snippet ends
}
