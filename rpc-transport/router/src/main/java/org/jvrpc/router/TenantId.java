package org.jvrpc.router;

/**
 * Name of a tenant, of its folder, and of its znode.
 *
 * @param name 1 to 63 characters of a-z, 0-9 and -, beginning with a letter
 */
public record TenantId(String name) implements Comparable<TenantId> {

    /** @throws IllegalArgumentException for what is no such name */
    public TenantId {
        if (!isName(name)) {
            throw new IllegalArgumentException("tenant=" + name + " is not [a-z][a-z0-9-]{0,62}");
        }
    }

    /** Tells whether a text can be a tenant's name. */
    public static boolean isName(String text) {
        return text.matches("[a-z][a-z0-9-]{0,62}");
    }

    @Override
    public int compareTo(TenantId other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name;
    }
}
