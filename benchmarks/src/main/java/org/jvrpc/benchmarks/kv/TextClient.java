package org.jvrpc.benchmarks.kv;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Pipeline;
import org.jvrpc.benchmarks.harness.Workload;

/**
 * Gets by memcached's text protocol over a bare blocking channel: the least that any client of that protocol costs. For
 * TCP and for Unix-domain sockets, which the two libraries cannot use.
 */
public final class TextClient implements ClientEnd {

    private static final byte[] GET = "get ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = "\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int LENGTH_OF_END = 5;

    private final ByteBuffer out = ByteBuffer.allocateDirect(512);
    private final ByteBuffer in = ByteBuffer.allocateDirect(1024).order(ByteOrder.LITTLE_ENDIAN);
    private SocketAddress address;
    private SocketChannel channel;

    @Override
    public void connect(String place, int index) throws IOException {
        address = place.startsWith("/") ? UnixDomainSocketAddress.of(Path.of(place))
                : new InetSocketAddress("127.0.0.1", Integer.parseInt(place));
        open();
        for (int i = 0; i < KvData.KEYS; i++) {
            byte[] value = KvData.value(i);
            out.clear().put(("set " + KvData.name(i) + " 0 0 " + value.length + "\r\n")
                    .getBytes(StandardCharsets.US_ASCII)).put(value).put(END);
            ask();
            if (in.get(0) != 'S') {
                throw new IOException("key " + i + " is not stored: " + StandardCharsets.US_ASCII.decode(in.flip()));
            }
        }
    }

    private void open() throws IOException {
        channel = SocketChannel.open(address);
        if (address instanceof InetSocketAddress) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
    }

    /** Sends what is in {@code out} and reads to the answer's last line. */
    private void ask() throws IOException {
        out.flip();
        while (out.hasRemaining()) {
            channel.write(out);
        }
        in.clear();
        do {
            if (channel.read(in) < 0) {
                throw new EOFException("the server closed the connection");
            }
        } while (!isWhole());
    }

    /** A value may end like a line: what has values ends with a line END. */
    private boolean isWhole() {
        int end = in.position();
        if (end < LENGTH_OF_END || in.get(end - 1) != '\n') {
            return false;
        }
        int last = end - LENGTH_OF_END;
        return in.get(0) != 'V' || in.get(last) == 'E' && in.get(last + 1) == 'N' && in.get(last + 2) == 'D';
    }

    private int get(int key, ByteBuffer into) throws IOException {
        if (channel == null) {
            open();
        }
        try {
            out.clear().put(GET).put(KvData.key(key)).put(END);
            ask();
        } catch (IOException e) {
            channel.close();
            channel = null;
            throw e;
        }
        if (in.get(0) == 'E') {
            return -1;
        }
        int at = 0;
        while (in.get(at) != '\n') {
            at++;
        }
        into.put(0, in, at + 1, KvData.VALUE_BYTES);
        return in.position() - at - 1 - END.length - LENGTH_OF_END;
    }

    @Override
    public Operation operation(Workload workload) {
        return new KvGet(this::get);
    }

    @Override
    public Pipeline pipeline() {
        return new Timeline(new KvGet(this::get));
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }
}
