package org.jvrpc.tcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.guard.Who;
import org.jvrpc.tcp.link.PlainWire;
import org.jvrpc.tcp.link.Wire;

/** Where a stream leads, and what kind of stream it is. */
interface StreamAddress {

    /** Returns the text that it was given as. */
    String text();

    /** Fails unless it can be connected to. @throws IllegalArgumentException which has the text */
    default void expectConnectable() {
        // most can
    }

    /** Returns where to try, in order. @throws java.net.UnknownHostException which names the host */
    List<SocketAddress> resolve() throws IOException;

    /** Opens a channel that is connected to nothing yet. */
    SocketChannel open() throws IOException;

    /** Prepares a channel that was connected. @throws IOException when it leads where it must not */
    void prepare(SocketChannel channel) throws IOException;

    /** Returns what a client's bytes go through. */
    default Wire clientWire(SocketChannel channel) throws IOException {
        return new PlainWire(channel);
    }

    /** Returns what a server's bytes go through. @param wake has the control thread look; any thread */
    default Wire serverWire(SocketChannel channel, Runnable wake) throws IOException {
        return new PlainWire(channel);
    }

    /** Returns true when a client wants what it carries compressed. */
    default boolean asksForGzip() {
        return false;
    }

    /** Returns true when a server compresses what it carries for clients that want it. */
    default boolean takesGzip() {
        return false;
    }

    /** Returns true when nobody reads what it carries but the other side: it is encrypted, or stays on this host. */
    default boolean isPrivate() {
        return false;
    }

    /** Returns who is at the other end, once that has been proven, or can be asked for. */
    default Who who(Wire wire, InetAddress host) {
        return Who.of(RpcPrincipal.anonymous(host));
    }

    /** Returns the address of the host at the other end; null when that is this one. */
    InetAddress peerHost(SocketChannel channel) throws IOException;

    /**
     * Listens.
     *
     * @throws java.net.BindException when it is in use, or none of this host
     */
    ServerSocketChannel listen(int backlog) throws IOException;

    /** Returns the address at which somebody listens, with the port that was taken. */
    String listening(ServerSocketChannel channel) throws IOException;

    /** Nobody listens any more. */
    default void left() throws IOException {
        // nothing is left behind
    }
}
