package org.jvrpc.softrnic.roce.socket;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.nio.channels.DatagramChannel;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.host.NativeSocketOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a UDP socket needs so that cards and rxe take its packets, and it takes theirs.
 *
 * <p>IPv4: the ICRC covers identification and flags, which Linux chooses. They are 0 and "do not fragment" for a socket
 * that is not connected and must not fragment ({@code IP_MTU_DISCOVER}; ip_select_ident_segs): JDK 19 and later have a
 * name for that. IPv6: cards and rxe send UDP checksum 0, which a socket takes by {@code UDP_NO_CHECK6_RX} alone; the
 * ICRC is what tells damage.
 */
public final class ForeignPackets {

    private static final Logger LOG = LoggerFactory.getLogger(ForeignPackets.class);
    private static final String DONT_FRAGMENT = "IP_DONTFRAGMENT";
    private static final int IPPROTO_IP = 0;
    private static final int IP_MTU_DISCOVER = 10;
    private static final int IP_PMTUDISC_DO = 2;
    private static final int IPPROTO_UDP = 17;
    private static final int UDP_NO_CHECK6_RX = 102;

    private ForeignPackets() {
    }

    /** Prepares a bound socket. @return what is in the way; null for nothing */
    public static String prepare(DatagramChannel channel) throws IOException {
        InetSocketAddress bound = (InetSocketAddress) channel.getLocalAddress();
        boolean ipv4 = bound.getAddress() instanceof Inet4Address;
        if (ipv4 && keepWhole(channel)) {
            return null;
        }
        try {
            NativeSocketOptions options = ServiceLoader.load(NativeSocketOptions.class,
                    NativeSocketOptions.class.getClassLoader()).findFirst().orElse(null);
            if (options == null) {
                return lack(bound, ipv4, "jvrpc-ibverbs is not on the class path");
            }
            if (ipv4) {
                options.set(bound, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DO);
            } else {
                options.set(bound, IPPROTO_UDP, UDP_NO_CHECK6_RX, 1);
            }
            return null;
        } catch (VerbsException | ServiceConfigurationError e) {
            return lack(bound, ipv4, e.getMessage());
        }
    }

    /** Returns false on JDKs that have no name for it. */
    @SuppressWarnings("unchecked")
    private static boolean keepWhole(DatagramChannel channel) throws IOException {
        for (SocketOption<?> option : channel.supportedOptions()) {
            if (option.name().equals(DONT_FRAGMENT)) {
                channel.setOption((SocketOption<Boolean>) option, true);
                return true;
            }
        }
        return false;
    }

    private static String lack(InetSocketAddress bound, boolean ipv4, String reason) {
        String text = ipv4
                ? "cards and rxe drop this JDK's packets over IPv4, whose identification it cannot set: use JDK 19 or"
                        + " later, or add jvrpc-ibverbs to the class path"
                : "packets of cards and rxe do not arrive over IPv6, as they have UDP checksum 0: add jvrpc-ibverbs to"
                        + " the class path";
        LOG.warn("roce socket {} talks to other roce:// devices only: {} ({})", bound, text, reason);
        return text + " (" + reason + ")";
    }
}
