package org.jvrpc.offload.lookup;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.Objects;
import org.jvrpc.verbs.MemoryRegion;

/**
 * A lookup that a host offers.
 *
 * @param name what clients ask for
 * @param kind the program
 * @param data what it searches; clients get a key that reads all of it, and nothing more
 * @param header offset in the data of what tells clients where to search, see
 *     {@link org.jvrpc.offload.table.IndexHeader}
 * @param rearm how a program gets ready for the next request
 * @param wqesPerSecond the most WQEs a second of each client, see {@link org.jvrpc.verbs.Chains#limitRate}
 * @param burst the most at once after an idle time
 */
public record Offer(
        String name, LookupKind kind, MemoryRegion data, long header, Rearm rearm, long wqesPerSecond, int burst) {

    /** How a program gets ready for the next request. */
    public enum Rearm {
        /** By itself: the chain puts itself back, and runs on when the host's process is busy or stopped. */
        RECYCLED,
        /** Instances are written ahead, and the host's thread writes a new one for each that was used. */
        PREPOSTED
    }

    /** What stands before the part of a name that nobody can guess. */
    private static final String SECRET = "~";
    private static final int SECRET_BYTES = 12;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Returns a name with a part that nobody can guess: whoever knows it was told. */
    public static String secretName(String name) {
        byte[] bytes = new byte[SECRET_BYTES];
        RANDOM.nextBytes(bytes);
        return name + SECRET + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Returns true for such a name, which is in no message. */
    public static boolean isSecret(String name) {
        return name.contains(SECRET);
    }

    /** Returns a name as logs may have it. */
    static String shown(String name) {
        return isSecret(name) ? name.substring(0, name.lastIndexOf(SECRET) + 1) : name;
    }

    /** Returns true for such a name that was made of the same one as another. */
    public static boolean isSecretOf(String name, String other) {
        int end = other.lastIndexOf(SECRET) + 1;
        return end > 0 && name.lastIndexOf(SECRET) + 1 == end && name.startsWith(other.substring(0, end));
    }

    /** Checks the values. */
    public Offer {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(rearm, "rearm");
        if (name.isEmpty() || name.length() > LookupHello.MAX_NAME) {
            throw new IllegalArgumentException("name must have 1 to " + LookupHello.MAX_NAME + " characters: " + name);
        }
        if (header < 0 || header > data.length() - 32) {
            throw new IllegalArgumentException("header=" + header + " is not in the data, length=" + data.length());
        }
    }

    /** An offer without a limit of the rate, of a program that re-arms itself. */
    public Offer(String name, LookupKind kind, MemoryRegion data, long header) {
        this(name, kind, data, header, Rearm.RECYCLED, Long.MAX_VALUE, Integer.MAX_VALUE);
    }
}
