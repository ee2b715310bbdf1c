package org.jvrpc.runtime.transport;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Supplier;

/** Finds the transport of an address. Any thread. */
public final class Transports {

    /** Found once: to look for them reads files. */
    private static volatile List<Transport> all;

    private Transports() {
    }

    private static List<Transport> all() {
        List<Transport> found = all;
        if (found == null) {
            found = new ArrayList<>();
            ServiceLoader.load(Transport.class, Transports.class.getClassLoader()).forEach(found::add);
            all = found;
        }
        return found;
    }

    /** Returns the transport of an address; null where its scheme is a device's, or nobody's. */
    public static Transport of(String address) {
        int colon = address.indexOf("://");
        String scheme = colon > 0 ? address.substring(0, colon) : "";
        return all().stream().filter(transport -> transport.scheme().equals(scheme)).findAny().orElse(null);
    }

    /** Opens a device; where nobody knows the scheme, the message has those of transports, too. */
    public static <T> T device(Supplier<T> open) {
        try {
            return open.get();
        } catch (IllegalArgumentException e) {
            List<String> schemes = all().stream().map(transport -> transport.scheme() + "://").sorted().toList();
            if (schemes.isEmpty() || !e.getMessage().contains("schemes on the class path")) {
                throw e;
            }
            throw new IllegalArgumentException(e.getMessage() + ", and without a device " + schemes, e);
        }
    }
}
