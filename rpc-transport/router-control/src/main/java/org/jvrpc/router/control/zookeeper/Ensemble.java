package org.jvrpc.router.control.zookeeper;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.X509Util;
import org.jvrpc.router.control.Codec;

/**
 * An ensemble, a cluster of routers in it, and who one is there. By SASL's DIGEST-MD5, of a file with one line
 * {@code user:password} that nobody else may read; by TLS, where there is a file of whom to trust. Both belong to this
 * client alone: no system property is set. Any thread.
 *
 * @param servers host:port, with commas between
 * @param cluster name of the znode below {@code /jvrpc-router}
 * @param authFile null: nobody, for tests
 * @param trustFile certificates as PEM that servers are trusted by; null: no TLS
 * @param sessionMs how long the ensemble waits for who is silent
 */
public record Ensemble(String servers, String cluster, Path authFile, Path trustFile, int sessionMs) {

    private static final int LEAST_SESSION_MS = 500;
    private static final int MOST_SESSION_MS = 60_000;
    private static final int SESSION_MS = 6_000;
    private static final int MOST_LINE = 1024;

    /** @throws IllegalArgumentException for a name or a time that cannot be */
    public Ensemble {
        Codec.host(cluster);
        if (sessionMs < LEAST_SESSION_MS || sessionMs > MOST_SESSION_MS || servers.isEmpty()) {
            throw new IllegalArgumentException("servers=" + servers + " session-ms=" + sessionMs + ", range "
                    + LEAST_SESSION_MS + " to " + MOST_SESSION_MS);
        }
    }

    /**
     * Reads {@code zk://host:port,host:port/CLUSTER?auth-file=FILE&trust-file=FILE&session-ms=6000}.
     *
     * @throws IllegalArgumentException for anything else
     */
    public static Ensemble parse(String text) {
        if (!text.matches("zk://[^/?#@]+/[^/?#]+(\\?[^#]+)?")) {
            throw new IllegalArgumentException("control plane=" + text + " is not zk://host:port,…/CLUSTER?auth-file=…"
                    + "&trust-file=…&session-ms=…");
        }
        int slash = text.indexOf('/', "zk://".length());
        int mark = text.indexOf('?');
        Path auth = null;
        Path trust = null;
        int sessionMs = SESSION_MS;
        for (String part : mark < 0 ? new String[0] : text.substring(mark + 1).split("&")) {
            String value = URI.create("x:?" + part.substring(part.indexOf('=') + 1)).getSchemeSpecificPart()
                    .substring(1);
            switch (part.substring(0, Math.max(0, part.indexOf('=')))) {
                case "auth-file" -> auth = Path.of(value);
                case "trust-file" -> trust = Path.of(value);
                case "session-ms" -> sessionMs = number(value);
                default -> throw new IllegalArgumentException("control plane=" + text + " has " + part
                        + "; known are auth-file, trust-file, session-ms");
            }
        }
        return new Ensemble(text.substring("zk://".length(), slash),
                text.substring(slash + 1, mark < 0 ? text.length() : mark), auth, trust, sessionMs);
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("session-ms=" + text + " is no number of milliseconds", e);
        }
    }

    Layout layout() {
        return new Layout(cluster);
    }

    /** Returns who this is, or null. @throws IOException when the file cannot be gone by */
    String user() throws IOException {
        return authFile == null ? null : credentials()[0];
    }

    /** Returns user and password. No message has a part of what stands in the file. */
    private String[] credentials() throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(authFile)) {
            bytes = in.readNBytes(MOST_LINE + 1);
        }
        String text = new String(bytes, StandardCharsets.UTF_8).strip();
        int colon = text.indexOf(':');
        if (bytes.length > MOST_LINE || colon < 1 || colon == text.length() - 1 || text.indexOf('\n') >= 0) {
            throw new IOException("auth-file=" + authFile + " is not one line user:password of at most " + MOST_LINE
                    + " bytes");
        }
        Set<PosixFilePermission> rights = Files.getPosixFilePermissions(authFile);
        if (rights.contains(PosixFilePermission.OTHERS_READ) || rights.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new IOException("auth-file=" + authFile + " may be read or written by every user of this host: "
                    + "chmod o-rw");
        }
        return new String[] {text.substring(0, colon), text.substring(colon + 1)};
    }

    /** A client, and the login that it needs as long as it lives. */
    record Client(ZooKeeper zooKeeper, String login) {

        /** Ends the session. */
        void close() throws InterruptedException {
            zooKeeper.close();
            if (login != null) {
                Logins.remove(login);
            }
        }
    }

    /** Opens a client, which connects by itself. @throws IOException when a file cannot be gone by */
    Client open(Watcher watcher) throws IOException {
        ZKClientConfig config = new ZKClientConfig();
        String login = null;
        config.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, Boolean.toString(authFile != null));
        config.setProperty(ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT, Integer.toString(sessionMs * 2));
        if (trustFile != null) {
            if (!Files.isReadable(trustFile)) {
                throw new IOException("trust-file=" + trustFile + " cannot be read");
            }
            config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
            config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET,
                    "org.apache.zookeeper.ClientCnxnSocketNetty");
            config.setProperty("zookeeper.ssl.trustStore.location", trustFile.toString());
            config.setProperty("zookeeper.ssl.trustStore.type", "PEM");
        }
        if (authFile != null) {
            String[] who = credentials();
            login = Logins.client(who[0], who[1]);
            config.setProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, login);
            config.setProperty(X509Util.FIPS_MODE_PROPERTY, "false"); // in which there is no DIGEST-MD5
        }
        try {
            return new Client(new ZooKeeper(servers, sessionMs, watcher, config), login);
        } catch (IOException | RuntimeException e) {
            if (login != null) {
                Logins.remove(login);
            }
            throw e;
        }
    }
}
