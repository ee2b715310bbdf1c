package org.jvrpc.tools.host;

import java.util.Comparator;

/** The GID that tools in C are told to use. */
public final class GidIndex {

    private static final String IPV4 = "0000:0000:0000:0000:0000:ffff:";

    private GidIndex() {
    }

    /** Returns the index of port 1's first GID of RoCEv2 with an IPv4 address, as text; null when there is none. */
    public static String of(Host host, String device) {
        String port = "/sys/class/infiniband/" + device + "/ports/1";
        return host.names(port + "/gids").stream()
                .filter(index -> index.matches("\\d{1,4}"))
                .sorted(Comparator.comparingInt(Integer::parseInt))
                .filter(index -> String.valueOf(host.read(port + "/gids/" + index)).startsWith(IPV4)
                        && String.valueOf(host.read(port + "/gid_attrs/types/" + index)).contains("v2"))
                .findFirst().orElse(null);
    }
}
