package org.jvrpc.tcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.guard.Who;
import org.jvrpc.tcp.gzip.GzipOption;
import org.jvrpc.tcp.link.Wire;
import org.jvrpc.tcp.tls.TlsKeys;
import org.jvrpc.tcp.tls.TlsOptions;
import org.jvrpc.tcp.tls.TlsWire;

/**
 * A host and a port where TLS is spoken, and what by: see {@link TlsOptions}. A server has to prove itself, and asks
 * clients for certificates where it says whom it trusts. A client looks whether the certificate is the host's.
 */
final class TlsAddress implements StreamAddress {

    private static final String SCHEME = "tls://";

    private final String text;
    private final String query;
    private final TcpAddress place;
    private final TlsOptions options;
    private final TlsKeys keys;
    private final GzipOption gzip;

    private TlsAddress(String text, String query, TcpAddress place, TlsOptions options,
            GzipOption gzip) {
        this.text = text;
        this.query = query;
        this.place = place;
        this.options = options;
        this.keys = new TlsKeys(options);
        this.gzip = gzip;
    }

    /** @throws IllegalArgumentException which has the text */
    static TlsAddress parse(String text) {
        int mark = text.indexOf('?');
        String hostAndPort = mark < 0 ? text : text.substring(0, mark);
        String query = mark < 0 ? "" : text.substring(mark);
        try {
            TcpAddress place = TcpAddress.parse("tcp://" + hostAndPort.substring(SCHEME.length()));
            GzipOption gzip = GzipOption.parse(query).overTls();
            return new TlsAddress(text, query, place, TlsOptions.parse(gzip.rest()), gzip);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("address=" + text + " is not " + TlsOptions.FORM
                    + ", with IPv6 addresses in brackets: " + e.getMessage(), e);
        }
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
    public Wire clientWire(SocketChannel channel) throws IOException {
        return TlsWire.ofClient(channel, keys, place.host().replaceAll("[\\[\\]]", ""), place.port());
    }

    @Override
    public Wire serverWire(SocketChannel channel, Runnable wake) throws IOException {
        return TlsWire.ofServer(channel, keys, wake);
    }

    @Override
    public boolean asksForGzip() {
        return gzip.isAsked();
    }

    /** Its answers have secrets, too: it does so only where it was asked to itself. */
    @Override
    public boolean takesGzip() {
        return gzip.isAsked();
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
        if (!options.proves()) {
            throw new IOException("a server has a certificate and its key: ?chain=FILE&key=FILE, or keystore");
        }
        keys.read(); // now, not when somebody comes
        return place.listen(backlog);
    }

    @Override
    public String listening(ServerSocketChannel channel) throws IOException {
        return place.listening(channel).replaceFirst("tcp", "tls") + query;
    }
}
