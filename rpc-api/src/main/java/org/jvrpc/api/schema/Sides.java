package org.jvrpc.api.schema;

/**
 * The names that messages give to the two versions that are compared.
 *
 * @param first for instance {@code client}
 * @param second for instance {@code server}
 */
record Sides(String first, String second) {

    static final Sides PEERS = new Sides("client", "server");
    static final Sides VERSIONS = new Sides("old version", "new version");
}
