package org.jvrpc.benchmarks.jvrpc;

import java.io.IOException;
import java.nio.file.Path;
import org.jvrpc.benchmarks.harness.ServerEnd;
import org.jvrpc.benchmarks.peer.TlsStore;
import org.jvrpc.runtime.IdleStrategy;

/** A jvRPC server over TLS, with a certificate of its own. */
public final class TlsServer implements ServerEnd {

    private final IdleStrategy idle;
    private JvrpcServer server;

    /** @param idle null for the default */
    public TlsServer(IdleStrategy idle) {
        this.idle = idle;
    }

    @Override
    public String start(Path directory, int clients) throws IOException {
        TlsStore store = TlsStore.make(directory);
        String files = "store=" + store.file() + "&password-file=" + store.passwordFile();
        server = new JvrpcServer(idle, "tls://127.0.0.1:0?key" + files, null);
        return server.start(directory, clients).replaceFirst("[?].*", "?trust" + files);
    }

    @Override
    public void close() {
        server.close();
    }
}
