package org.jvrpc.runtime.channel.lookup;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jvrpc.runtime.resolve.NameResolver;
import org.jvrpc.runtime.resolve.ServerEntry;

/** The servers of a target that names them all. */
final class FixedServers implements NameResolver {

    private static final String PREFIX = "list:";

    private final List<ServerEntry> servers;

    private FixedServers(List<ServerEntry> servers) {
        this.servers = servers;
    }

    /** @throws IllegalArgumentException which has the text */
    static FixedServers parse(String text) {
        List<ServerEntry> servers = new ArrayList<>();
        for (String server : text.substring(PREFIX.length()).split(",", -1)) {
            List<String> addresses = List.of(server.strip().split("\\|", -1));
            try {
                ServerEntry entry = new ServerEntry(withoutOptions(addresses.get(0)), addresses, 1, Map.of());
                if (servers.stream().anyMatch(other -> other.id().equals(entry.id()))) {
                    throw new IllegalArgumentException("server=" + entry.id() + " stands twice");
                }
                servers.add(entry);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("target=" + text + " is not list:ADDRESS,ADDRESS|ADDRESS,… with a"
                        + " comma between servers and a bar between the addresses of one: " + e.getMessage(), e);
            }
        }
        return new FixedServers(List.copyOf(servers));
    }

    private static String withoutOptions(String address) {
        return address.replaceFirst("[?].*", "");
    }

    @Override
    public void start(Listener listener) {
        listener.onServers(servers);
    }

    @Override
    public void refresh() {
        // they are always the same
    }

    @Override
    public void close() {
        // nothing is open
    }
}
