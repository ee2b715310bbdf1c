package org.jvrpc.benchmarks.stream;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * The main class of one end of a stream: {@code receive KIND ADDRESS} or {@code send KIND ADDRESS}. Says {@code OK} and
 * its address when it is ready; a sender is then told, line by line, for how many milliseconds to send, and says how
 * many elements a second the other end took.
 */
public final class StreamEnd {

    private StreamEnd() {
    }

    /** Sends. */
    interface Sender {

        /** Sends for so long; returns how many elements were taken. */
        long send(long durationNs) throws Exception;
    }

    /** Runs one end. */
    public static void main(String[] args) throws Exception {
        StreamKind kind = StreamKind.valueOf(args[1]);
        if (args[0].equals("receive")) {
            System.out.println("OK " + receive(kind, args[2]));
            awaitEnd();
            System.exit(0);
        }
        Sender sender = sender(kind, args[2]);
        System.out.println("OK ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            long beganNs = System.nanoTime();
            long count = sender.send(Long.parseLong(line.trim()) * 1_000_000);
            System.out.println("OK " + count * 1e9 / (System.nanoTime() - beganNs));
        }
        System.exit(0);
    }

    private static void awaitEnd() throws IOException {
        while (System.in.read() >= 0) {
            Thread.onSpinWait();
        }
    }

    private static String receive(StreamKind kind, String address) throws Exception {
        return switch (kind) {
            case JVRPC_LONGS, JVRPC_BUFFERS -> JvrpcStreams.receive(address);
            case AERON_LONGS -> AeronStream.receive(address);
            case CHANNEL_BUFFERS -> ChannelStream.receive();
        };
    }

    private static Sender sender(StreamKind kind, String address) throws Exception {
        return switch (kind) {
            case JVRPC_LONGS -> JvrpcStreams.longs(address);
            case JVRPC_BUFFERS -> JvrpcStreams.buffers(address);
            case AERON_LONGS -> AeronStream.sender(address);
            case CHANNEL_BUFFERS -> ChannelStream.sender(address);
        };
    }
}
