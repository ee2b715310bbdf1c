package org.jvrpc.benchmarks.peer;

import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** How gRPC goes from process to process. */
public enum GrpcKind {

    /** The loopback device, default executors: as users write it. */
    TCP(false),
    /** The same by TLS. */
    TLS(false),
    /** The loopback device; handlers and callbacks run on the event loops. */
    TCP_DIRECT(true),
    /** A Unix-domain socket; handlers and callbacks run on the event loops. */
    UDS(true);

    private final boolean direct;

    GrpcKind(boolean direct) {
        this.direct = direct;
    }

    private static EventLoopGroup loops() {
        return new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    }

    /** Returns a server that is not built yet. @param directory for a socket */
    NettyServerBuilder server(Path directory) throws IOException {
        NettyServerBuilder builder = this == UDS
                ? NettyServerBuilder.forAddress(new DomainSocketAddress(socket(directory)))
                        .channelType(EpollServerDomainSocketChannel.class).bossEventLoopGroup(loops())
                        .workerEventLoopGroup(loops())
                : NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        if (this == TLS) {
            builder.sslContext(GrpcSslContexts.configure(
                    SslContextBuilder.forServer(TlsStore.make(directory).keys())).build());
        }
        return direct ? builder.directExecutor() : builder;
    }

    /** Returns what a client must know. @param port of the server, -1 where it has none */
    String address(Path directory, int port) {
        return this == UDS ? socket(directory) : this == TLS ? port + "," + directory : Integer.toString(port);
    }

    private static String socket(Path directory) {
        return directory.resolve("grpc").toString();
    }

    /** Returns a channel that is not built yet. */
    NettyChannelBuilder channel(String address) throws IOException {
        NettyChannelBuilder builder = this == UDS
                ? NettyChannelBuilder.forAddress(new DomainSocketAddress(address))
                        .channelType(EpollDomainSocketChannel.class).eventLoopGroup(loops())
                : NettyChannelBuilder.forAddress(new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), Integer.parseInt(address.replaceFirst(",.*", ""))));
        if (this == TLS) {
            Path directory = Path.of(address.replaceFirst("^[^,]*,", ""));
            builder.sslContext(GrpcSslContexts.forClient().trustManager(TlsStore.in(directory).trust()).build())
                    .overrideAuthority("localhost");
        } else {
            builder.usePlaintext();
        }
        return direct ? builder.directExecutor() : builder;
    }
}
