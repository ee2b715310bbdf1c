package org.jvrpc.tools.router;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jvrpc.router.RouterServer;
import org.jvrpc.router.map.RouterRecord;
import org.jvrpc.router.peer.PeerLinks;
import org.jvrpc.tcp.tls.TlsOptions;
import picocli.CommandLine.Option;

/** How a router reaches those of other hosts, and they it. */
final class AbroadOptions {

    private static final Pattern PLACE = Pattern.compile("(.+):(\\d{1,5})");
    private static final int MOST_PORT = 0xffff;

    @Option(names = "--peers", paramLabel = "HOST:PORT",
            description = "Where routers of other hosts reach this one, by TLS; port 0: any. HOST is this host as they"
                + " know it. Without it, tenants of this host alone reach each other.")
    private String peers;

    @Option(names = "--tls", paramLabel = "PARTS",
            description = "chain=FILE&key=FILE&trust=FILE: by what this router proves itself, and who signs those that"
                + " it takes for routers. The control plane says which certificate is whose.")
    private String tls;

    @Option(names = "--below", paramLabel = "ADDRESS",
            description = "The device that carries what tenants of different hosts send: roce://HOST:PORT, or"
                + " rdma://HOST:PORT.")
    private String below;

    @Option(names = "--trusted-fabric",
            description = "What goes to other hosts is not encrypted: nobody but routers can read or send there. All"
                + " routers must have it so.")
    private boolean trusted;

    private TlsOptions options;

    /** Returns the settings, or null for a router that knows no other host. @throws IllegalArgumentException */
    RouterServer.Abroad settings(String host) {
        if (peers == null) {
            if (tls != null || below != null || trusted) {
                throw new IllegalArgumentException("--tls, --below and --trusted-fabric go with --peers HOST:PORT");
            }
            return null;
        }
        if (tls == null) {
            throw new IllegalArgumentException("--peers goes with --tls chain=FILE&key=FILE&trust=FILE");
        }
        options = TlsOptions.parse("?" + tls);
        if (options.chain() == null) {
            throw new IllegalArgumentException("--tls has no chain=FILE, whose first certificate is this router's");
        }
        return new RouterServer.Abroad(PeerLinks.Settings.of(host, place(), options), below, !trusted);
    }

    private InetSocketAddress place() {
        Matcher matcher = PLACE.matcher(peers);
        if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > MOST_PORT) {
            throw new IllegalArgumentException("--peers=" + peers + " is not HOST:PORT");
        }
        InetSocketAddress place = new InetSocketAddress(matcher.group(1), Integer.parseInt(matcher.group(2)));
        InetAddress address = place.getAddress();
        if (address == null || address.isAnyLocalAddress()) {
            throw new IllegalArgumentException("--peers=" + peers + ": other hosts cannot reach HOST "
                    + (address == null ? "which is not known" : "which is no one address"));
        }
        return place;
    }

    /** Returns what the others are to know of a router. @throws IOException when its certificate cannot be read */
    RouterRecord record(String host, RouterServer server, boolean draining) throws IOException {
        if (peers == null) {
            return new RouterRecord(host, "", "", null, server.incarnation(), draining, PeerLinks.VERSION);
        }
        String name = peers.substring(0, peers.lastIndexOf(':'));
        return new RouterRecord(host, name + ":" + server.control().getPort(),
                server.data() == null ? "" : server.data(), sha256(), server.incarnation(), draining,
                PeerLinks.VERSION);
    }

    /** Of the certificate that comes first. */
    private byte[] sha256() throws IOException {
        try (InputStream in = Files.newInputStream(options.chain())) {
            Certificate own = CertificateFactory.getInstance("X.509").generateCertificates(in).iterator().next();
            return MessageDigest.getInstance("SHA-256").digest(own.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IOException("chain=" + options.chain() + ": " + e.getMessage(), e);
        }
    }
}
