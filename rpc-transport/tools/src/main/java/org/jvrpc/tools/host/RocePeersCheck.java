package org.jvrpc.tools.host;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.host.NativeSocketOptions;

/**
 * Whether {@code roce://…?udp=4791} may have cards and rxe as peers, which takes options of sockets that the JDK does
 * not have, or not before 19: tried on a socket of its own.
 */
public final class RocePeersCheck {

    private static final String CHECK = "cards and rxe";
    private static final int IPPROTO_UDP = 17;
    private static final int UDP_NO_CHECK6_RX = 102;

    private RocePeersCheck() {
    }

    /** Tries it. */
    public static List<Finding> check() {
        return check(ServiceLoader.load(NativeSocketOptions.class, NativeSocketOptions.class.getClassLoader()));
    }

    static List<Finding> check(Iterable<NativeSocketOptions> found) {
        try (DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET)) {
            channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            for (NativeSocketOptions options : found) {
                options.set((InetSocketAddress) channel.getLocalAddress(), IPPROTO_UDP, UDP_NO_CHECK6_RX, 1);
                return List.of(Finding.ok(Area.ROCE, CHECK, "may be peers of roce://…?udp=4791"));
            }
            return List.of(refused("jvrpc-ibverbs is not on the class path"));
        } catch (IOException | VerbsException | ServiceConfigurationError e) {
            return List.of(refused(String.valueOf(e.getMessage())));
        }
    }

    private static Finding refused(String reason) {
        return Finding.note(Area.ROCE, CHECK, "cannot be peers of roce://…?udp=4791 over IPv6, nor over IPv4 before JDK"
                + " 19: " + reason, "jvrpc-ibverbs on the class path, for its native calls; roce:// devices need none");
    }
}
