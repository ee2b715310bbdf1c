package org.jvrpc.spring.config;

import java.util.regex.Pattern;

/** What can be said of an address before it is used: whether a transport has it is for the runtime to say. */
final class Addresses {

    private static final Pattern ADDRESS = Pattern.compile("[a-z][a-z0-9+.-]*:\\S+");

    private Addresses() {
    }

    static void check(String property, String address) {
        if (address == null || address.isBlank()) {
            throw Property.invalid(property, address, "an address is needed, such as shm://orders,"
                    + " tcp://localhost:7471 or unix:///run/orders");
        }
        if (!ADDRESS.matcher(address).matches()) {
            throw Property.invalid(property, address, "an address begins with a scheme, such as shm://orders or"
                    + " tcp://localhost:7471, and has no spaces");
        }
    }
}
