package org.jvrpc.samples.zookeeper;

/**
 * Where jvRPC serves for a ZooKeeper address: a template that both sides read from the property
 * {@value #PROPERTY}, with {@code {host}} and {@code {port}} of ZooKeeper's own address in it.
 */
public final class JvrpcAddress {

    /** The property that holds the template. */
    public static final String PROPERTY = "jvrpc.zookeeper.address";
    /** The template where none is given: a server of this host, found by its client port. */
    public static final String DEFAULT = "shm://zookeeper-{port}";

    private JvrpcAddress() {
    }

    /**
     * Fills a template in.
     *
     * @param template null for {@link #DEFAULT}
     * @throws IllegalArgumentException when the template has no port: all servers of a host would be one
     */
    public static String of(String template, String host, int port) {
        String chosen = template == null || template.isBlank() ? DEFAULT : template;
        if (!chosen.contains("{port}")) {
            throw new IllegalArgumentException(PROPERTY + "=" + chosen + " has no {port}, such as in " + DEFAULT);
        }
        return chosen.replace("{host}", host).replace("{port}", Integer.toString(port));
    }
}
