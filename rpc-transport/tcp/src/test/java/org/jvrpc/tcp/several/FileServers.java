package org.jvrpc.tcp.several;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.resolve.NameResolver;
import org.jvrpc.runtime.resolve.NameResolverProvider;
import org.jvrpc.runtime.resolve.ResolverContext;
import org.jvrpc.runtime.resolve.ServerEntry;

// snippet begins
/** Servers that a file names, an address a line: {@code file:///etc/orders.servers}. */
public final class FileServers implements NameResolverProvider {

    @Override
    public String scheme() {
        return "file";
    }

    @Override
    public NameResolver open(String target, ResolverContext context) {
        Path file = Path.of(URI.create(target));
        return new NameResolver() {
            private Listener listener;

            @Override
            public synchronized void start(Listener told) {
                listener = told;
                refresh();
            }

            @Override
            public synchronized void refresh() { // a connection failed or was lost: the file may say something else
                try {
                    listener.onServers(Files.readAllLines(file).stream()
                            .map(line -> ServerEntry.of(line, line)).toList());
                } catch (IOException e) {
                    listener.onError(new RpcException(Status.UNAVAILABLE, "cannot be read: " + e));
                }
            }

            @Override
            public void close() {
                // nothing is open
            }
        };
    }
}
// snippet ends
