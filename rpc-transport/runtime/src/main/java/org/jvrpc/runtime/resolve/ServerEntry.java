package org.jvrpc.runtime.resolve;

import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One server, as a resolver finds it and a registry keeps it. Immutable; equal when all of it is. Its texts have
 * printable ASCII characters alone, so that they may stand in logs.
 *
 * @param id what the server is known by among those of its target, 1 to {@value #MAX_ID} characters: another id is
 *     another server
 * @param addresses all of its addresses, in any order, 1 to {@value #MAX_ADDRESSES}, each {@code scheme://…} of
 *     {@value #MAX_ADDRESS} characters at most, none twice: a client takes the nearest that it can use
 * @param weight its share of the calls where a policy goes by weights, 1 to {@value #MAX_WEIGHT}; 1 where nothing is
 *     known
 * @param attributes what else is known of it, at most {@value #MAX_ATTRIBUTES}, with keys of {@value #MAX_KEY}
 *     characters and values of {@value #MAX_VALUE} at most; clients look at {@link #HOST}
 */
public record ServerEntry(String id, List<String> addresses, int weight, Map<String, String> attributes) {

    /** Of one target. */
    public static final int MAX_SERVERS = 1024;
    public static final int MAX_ID = 256;
    public static final int MAX_ADDRESSES = 16;
    public static final int MAX_ADDRESS = 512;
    public static final int MAX_WEIGHT = 1_000_000;
    public static final int MAX_ATTRIBUTES = 32;
    public static final int MAX_KEY = 64;
    public static final int MAX_VALUE = 512;

    /**
     * Attribute: which host the server is on, so that its {@code shm://} and {@code unix://} addresses mean something
     * there and nowhere else.
     */
    public static final String HOST = "host";

    /** Attribute: a name of the place where the server is; kept, and used by no policy of this library. */
    public static final String ZONE = "zone";

    /** @throws IllegalArgumentException when something is out of its range: the message has the value */
    public ServerEntry {
        checkText("id", id, 1, MAX_ID);
        addresses = List.copyOf(addresses);
        checkCount("addresses", addresses.size(), 1, MAX_ADDRESSES);
        for (String address : addresses) {
            checkText("address", address, 1, MAX_ADDRESS);
            if (address.indexOf("://") < 1) {
                throw new IllegalArgumentException("address=" + address + " is not scheme://…, of server id=" + id);
            }
        }
        if (new HashSet<>(addresses).size() < addresses.size()) {
            throw new IllegalArgumentException("an address stands twice in addresses=" + addresses + ", id=" + id);
        }
        checkCount("weight", weight, 1, MAX_WEIGHT);
        checkCount("attributes", attributes.size(), 0, MAX_ATTRIBUTES);
        attributes.forEach((key, value) -> {
            checkText("attribute's key", key, 1, MAX_KEY);
            checkText("value of attribute " + key, value, 0, MAX_VALUE);
        });
        attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    }

    /** Returns a server of weight 1 without attributes. */
    public static ServerEntry of(String id, String... addresses) {
        return new ServerEntry(id, List.of(addresses), 1, Map.of());
    }

    private static void checkCount(String name, int value, int low, int high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(name + " must be " + low + " to " + high + ", " + name + "=" + value);
        }
    }

    private static void checkText(String name, String text, int low, int high) {
        Objects.requireNonNull(text, name);
        if (text.length() < low || text.length() > high) {
            throw new IllegalArgumentException(name + " must have " + low + " to " + high + " characters, length="
                    + text.length());
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~') {
                throw new IllegalArgumentException(name + " has a character that is not printable ASCII at index=" + i
                        + ", code=" + (int) c);
            }
        }
    }
}
