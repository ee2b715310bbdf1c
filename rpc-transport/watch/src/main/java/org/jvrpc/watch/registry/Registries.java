package org.jvrpc.watch.registry;

import java.io.IOException;
import java.nio.file.Path;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Registry;

/** Opens a registry by what people write. Any thread. */
public final class Registries {

    private static final String SCHEME = "zk://";
    private static final int SESSION_MS = 10_000;
    private static final long LOOK_NS = 1_000_000_000;

    private Registries() {
    }

    /**
     * Opens {@code zk://host:port[,host:port]/path}, or a folder or file.
     *
     * @param self who is put there; null for one who only reads
     * @throws IOException when a folder or file cannot be read or written
     * @throws IllegalArgumentException for what is no registry
     */
    public static Registry open(String where, AgentInfo self) throws IOException {
        if (!where.startsWith(SCHEME)) {
            return RegistryFile.open(Path.of(where), self, LOOK_NS);
        }
        int slash = where.indexOf('/', SCHEME.length());
        if (slash < 0) {
            throw new IllegalArgumentException("a registry in ZooKeeper is zk://host:port[,host:port]/path, not "
                    + where);
        }
        return ZooKeeperRegistry.open(where.substring(SCHEME.length(), slash), where.substring(slash), self,
                SESSION_MS);
    }
}
