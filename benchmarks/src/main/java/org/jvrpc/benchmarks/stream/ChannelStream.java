package org.jvrpc.benchmarks.stream;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Buffers down a bare channel that blocks; how many there were comes back when the sender has ended its side. */
final class ChannelStream {

    private ChannelStream() {
    }

    static String receive() throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open()
                .bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
        Thread thread = new Thread(() -> {
            try {
                while (true) {
                    serve(server.accept());
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return "127.0.0.1:" + ((InetSocketAddress) server.getLocalAddress()).getPort();
    }

    private static void serve(SocketChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(StreamKind.BUFFER_BYTES);
        long bytes = 0;
        for (int count = channel.read(buffer); count >= 0; count = channel.read(buffer)) {
            bytes += count;
            if (!buffer.hasRemaining()) {
                buffer.clear();
            }
        }
        buffer.clear().putLong(bytes / StreamKind.BUFFER_BYTES).flip();
        channel.write(buffer);
        channel.close();
    }

    static StreamEnd.Sender sender(String address) {
        int colon = address.indexOf(':');
        InetSocketAddress place = new InetSocketAddress(
                address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
        ByteBuffer buffer = ByteBuffer.allocateDirect(StreamKind.BUFFER_BYTES);
        return durationNs -> {
            try (SocketChannel channel = SocketChannel.open(place)) {
                long endNs = System.nanoTime() + durationNs;
                for (long i = 0; System.nanoTime() - endNs < 0; i++) {
                    buffer.clear().put(0, (byte) i);
                    while (buffer.hasRemaining()) {
                        channel.write(buffer);
                    }
                }
                channel.shutdownOutput();
                ByteBuffer answer = ByteBuffer.allocate(Long.BYTES);
                while (answer.hasRemaining()) {
                    if (channel.read(answer) < 0) {
                        throw new EOFException("no answer");
                    }
                }
                return answer.getLong(0);
            }
        };
    }
}
