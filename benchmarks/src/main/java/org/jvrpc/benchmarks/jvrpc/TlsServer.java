package org.jvrpc.benchmarks.jvrpc;

import java.io.IOException;
import java.nio.file.Path;
import org.jvrpc.benchmarks.harness.ServerEnd;
import org.jvrpc.benchmarks.peer.TlsStore;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.SessionLimits;

/** A jvRPC server over TLS, with a certificate of its own. */
public final class TlsServer implements ServerEnd {

    private final IdleStrategy idle;
    private final SessionLimits limits;
    private JvrpcServer server;

    /** @param idle null for the default */
    public TlsServer(IdleStrategy idle) {
        this(idle, null);
    }

    /** A server that takes more sessions than others. @param idle null for the default */
    TlsServer(IdleStrategy idle, SessionLimits limits) {
        this.idle = idle;
        this.limits = limits;
    }

    @Override
    public String start(Path directory, int clients) throws IOException {
        TlsStore store = TlsStore.make(directory);
        String files = "store=" + store.file() + "&password-file=" + store.passwordFile();
        server = new JvrpcServer(idle, "tls://127.0.0.1:0?key" + files, null, limits);
        return server.start(directory, clients).replaceFirst("[?].*", "?trust" + files);
    }

    @Override
    public void close() {
        server.close();
    }
}
