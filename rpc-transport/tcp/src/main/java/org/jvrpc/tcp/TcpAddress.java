package org.jvrpc.tcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jvrpc.tcp.gzip.GzipOption;

/**
 * A host and a port.
 *
 * @param text as it was given
 * @param host a name or an address, IPv6 in brackets
 * @param port 0 for any, where a server listens
 * @param gzip what it says of compression
 */
record TcpAddress(String text, String host, int port, GzipOption gzip) implements StreamAddress {

    private static final Pattern FORM = Pattern.compile("tcp://(\\[[0-9a-fA-F:.%\\w-]+]|[\\w.-]+):(\\d{1,5})");
    private static final int MAX_PORT = 0xffff;

    /** @throws IllegalArgumentException which has the text */
    static TcpAddress parse(String text) {
        int mark = text.indexOf('?');
        GzipOption gzip = gzip(text, mark < 0 ? "" : text.substring(mark));
        Matcher parts = FORM.matcher(mark < 0 ? text : text.substring(0, mark));
        int port = parts.matches() ? Integer.parseInt(parts.group(2)) : MAX_PORT + 1;
        if (port > MAX_PORT) {
            throw new IllegalArgumentException("address=" + text
                    + " is not tcp://host:port, with a port up to 65535 and IPv6 addresses in brackets");
        }
        return new TcpAddress(text, parts.group(1), port, gzip);
    }

    private static GzipOption gzip(String text, String query) {
        try {
            GzipOption gzip = GzipOption.parse(query).inPlain();
            if (!gzip.rest().isEmpty()) {
                throw new IllegalArgumentException(gzip.rest() + " is unknown");
            }
            return gzip;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("address=" + text
                    + " is not tcp://host:port or tcp://host:port?compression=gzip: " + e.getMessage(), e);
        }
    }

    @Override
    public boolean asksForGzip() {
        return gzip.isAsked();
    }

    @Override
    public boolean takesGzip() {
        return gzip.isTaken();
    }

    @Override
    public void expectConnectable() {
        if (port == 0) {
            throw new IllegalArgumentException("address=" + text + " names no port to connect to");
        }
    }

    @Override
    public List<SocketAddress> resolve() throws IOException {
        return Stream.of(InetAddress.getAllByName(host)).<SocketAddress>map(at -> new InetSocketAddress(at, port))
                .toList();
    }

    @Override
    public SocketChannel open() throws IOException {
        return SocketChannel.open();
    }

    @Override
    public void prepare(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    @Override
    public InetAddress peerHost(SocketChannel channel) throws IOException {
        return ((InetSocketAddress) channel.getRemoteAddress()).getAddress();
    }

    @Override
    public ServerSocketChannel listen(int backlog) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            return channel.bind(resolve().get(0), backlog);
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public String listening(ServerSocketChannel channel) throws IOException {
        return "tcp://" + host + ":" + ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }
}
