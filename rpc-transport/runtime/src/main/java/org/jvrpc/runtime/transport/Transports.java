package org.jvrpc.runtime.transport;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import java.util.regex.Pattern;

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

    private static final Pattern COMPRESSION = Pattern.compile("[^?]*[?](.*&)?compression=.*");

    /**
     * Returns the transport of an address; null where its scheme is a device's, or nobody's.
     *
     * @throws IllegalArgumentException when it asks for compression, and that transport has none
     */
    public static Transport of(String address) {
        int colon = address.indexOf("://");
        String scheme = colon > 0 ? address.substring(0, colon) : "";
        Transport found =
                all().stream().filter(transport -> transport.scheme().equals(scheme)).findAny().orElse(null);
        if ((found == null || !found.compresses()) && COMPRESSION.matcher(address).matches()) {
            throw new IllegalArgumentException("address=" + address + " says compression=, which " + scheme
                    + ":// has not: " + all().stream().filter(Transport::compresses)
                            .map(transport -> transport.scheme() + "://").sorted().toList() + " have");
        }
        return found;
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
