package org.jvrpc.tcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.guard.Who;
import org.jvrpc.tcp.link.Wire;

/**
 * A host and a port where TLS is spoken: {@code tls://host:port?chain=FILE&key=FILE&trust=FILE}, of which a server has
 * to have the first two, and with the third asks clients for certificates. A client looks whether the certificate is
 * the host's.
 */
final class TlsAddress implements StreamAddress {

    private static final String SCHEME = "tls://";
    private static final Set<String> FILES = Set.of("chain", "key", "trust");
    private static final String[] PROTOCOLS = {"TLSv1.3"};

    private final String text;
    private final String query;
    private final TcpAddress place;
    private final TlsKeys keys;
    private final boolean proves;

    private TlsAddress(String text, String query, TcpAddress place, Map<String, Path> files) {
        this.text = text;
        this.query = query;
        this.place = place;
        this.proves = files.containsKey("chain");
        this.keys = new TlsKeys(files.get("chain"), files.get("key"), files.get("trust"));
    }

    /** @throws IllegalArgumentException which has the text */
    static TlsAddress parse(String text) {
        int mark = text.indexOf('?');
        String hostAndPort = mark < 0 ? text : text.substring(0, mark);
        String query = mark < 0 ? "" : text.substring(mark);
        Map<String, Path> files = files(text, query);
        if (files == null || files.containsKey("chain") != files.containsKey("key")) {
            throw refused(text, null);
        }
        try {
            TcpAddress place = TcpAddress.parse("tcp://" + hostAndPort.substring(SCHEME.length()));
            return new TlsAddress(text, query, place, files);
        } catch (IllegalArgumentException e) {
            throw refused(text, e);
        }
    }

    private static IllegalArgumentException refused(String text, Exception e) {
        return new IllegalArgumentException("address=" + text
                + " is not tls://host:port?chain=FILE&key=FILE&trust=FILE,"
                + " where trust, or chain and key, may be left out, and IPv6 addresses are in brackets", e);
    }

    private static Map<String, Path> files(String text, String query) {
        Map<String, Path> files = new HashMap<>();
        if (query.isEmpty()) {
            return files;
        }
        for (String part : query.substring(1).split("&", -1)) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? part : part.substring(0, equals);
            if (equals < 0 || equals == part.length() - 1 || !FILES.contains(name)) {
                return null;
            }
            try {
                files.put(name, Path.of(part.substring(equals + 1)));
            } catch (InvalidPathException e) {
                throw refused(text, e);
            }
        }
        return files;
    }

    @Override
    public String text() {
        return text;
    }

    @Override
    public void expectConnectable() {
        if (place.port() == 0) {
            throw new IllegalArgumentException("address=" + text + " names no port to connect to");
        }
    }

    @Override
    public List<SocketAddress> resolve() throws IOException {
        return place.resolve();
    }

    @Override
    public SocketChannel open() throws IOException {
        return place.open();
    }

    @Override
    public void prepare(SocketChannel channel) throws IOException {
        place.prepare(channel);
    }

    @Override
    public Wire wire(SocketChannel channel, boolean client) throws IOException {
        String host = place.host().replaceAll("[\\[\\]]", "");
        SSLEngine engine = keys.context().createSSLEngine(host, place.port());
        engine.setUseClientMode(client);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(PROTOCOLS);
        if (client) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS"); // the name, or the address, is in the certificate
        } else {
            parameters.setNeedClientAuth(keys.hasTrusted());
        }
        engine.setSSLParameters(parameters);
        return new TlsWire(channel, engine);
    }

    @Override
    public boolean isPrivate() {
        return true;
    }

    @Override
    public Who who(Wire wire, InetAddress host) {
        List<X509Certificate> chain = ((TlsWire) wire).peerCertificates();
        return Who.of(chain.isEmpty() ? RpcPrincipal.anonymous(host) : RpcPrincipal.certificate(chain, host));
    }

    @Override
    public InetAddress peerHost(SocketChannel channel) throws IOException {
        return place.peerHost(channel);
    }

    @Override
    public ServerSocketChannel listen(int backlog) throws IOException {
        if (!proves) {
            throw new IOException("a server has a certificate and its key: ?chain=FILE&key=FILE");
        }
        keys.context(); // now, not when somebody comes
        return place.listen(backlog);
    }

    @Override
    public String listening(ServerSocketChannel channel) throws IOException {
        return place.listening(channel).replaceFirst("tcp", "tls") + query;
    }
}
