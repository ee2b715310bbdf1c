package org.jvrpc.benchmarks.peer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.jvrpc.benchmarks.harness.ServerEnd;

/** Sends every frame back over {@link PolledChannel}s; a thread for each. */
public final class PolledServer implements ServerEnd {

    private final SocketKind kind;
    private final boolean tls;
    private final boolean spinning;
    private ServerSocketChannel listener;

    /** @param spinning never sleeps */
    public PolledServer(SocketKind kind, boolean tls, boolean spinning) {
        this.kind = kind;
        this.tls = tls;
        this.spinning = spinning;
    }

    @Override
    public String start(Path directory, int clients) throws IOException {
        SSLContext context = tls ? TlsStore.make(directory).context() : null;
        listener = kind.bind(directory);
        start("acceptor", () -> accept(context));
        String address = kind.text(listener.getLocalAddress());
        return tls ? address + "," + directory : address;
    }

    private static void start(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept(SSLContext context) {
        try {
            while (listener.isOpen()) {
                SocketChannel channel = listener.accept();
                kind.tune(channel);
                start("connection", () -> serve(channel, context));
            }
        } catch (IOException e) {
            if (listener.isOpen()) {
                e.printStackTrace();
            }
        }
    }

    private void serve(SocketChannel accepted, SSLContext context) {
        SSLEngine engine = context == null ? null : context.createSSLEngine();
        if (engine != null) {
            engine.setUseClientMode(false);
        }
        try (PolledChannel channel = new PolledChannel(accepted, engine, spinning)) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(Frame.BUFFER_BYTES);
            while (channel.read(buffer) >= 0) {
                buffer.flip();
                int end = buffer.limit();
                int whole = Frame.wholeBytes(buffer);
                if (whole > 0) {
                    channel.write(buffer.limit(whole));
                }
                buffer.limit(end).position(whole);
                buffer.compact();
            }
        } catch (IOException e) {
            e.printStackTrace();
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
