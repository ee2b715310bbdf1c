package org.jvrpc.zookeeper;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.common.PathUtils;

/**
 * A service of an ensemble: {@code zk://host1:2181,host2:2181/service?base=/services&session-timeout=10s&auth-file=FILE
 * &read=world}. Immutable.
 *
 * @param ensemble hosts with their ports, as ZooKeeper's clients want them
 * @param service its name
 * @param base the znode that services are under
 * @param sessionTimeout after which the ensemble takes a client that it does not hear of for dead
 * @param authFile has {@code user:password}; null for none
 * @param readable true when all may read what is registered, though it is registered with a password
 */
record ZooKeeperTarget(String ensemble, String service, String base, Duration sessionTimeout, Path authFile,
        boolean readable) {

    static final String SCHEME = "zk";

    private static final String FORM = "zk://host1:2181,host2:2181/service, behind it, if need be, ?base=/services"
            + "&session-timeout=10s&auth-file=FILE&read=world";
    private static final Pattern PARTS = Pattern.compile("zk://([^/?]+)/([A-Za-z0-9._-]{1,128})(?:\\?(.+))?");
    private static final Pattern HOST = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[A-Za-z0-9._-]{1,253})(?::(\\d{1,5}))?");
    private static final Pattern SECONDS = Pattern.compile("(\\d{1,3})s");
    private static final Set<String> OPTIONS = Set.of("base", "session-timeout", "auth-file", "read");
    private static final int MAX_LENGTH = 4096;
    private static final int MAX_HOSTS = 32;
    private static final int PORT = 2181;
    private static final int MAX_PORT = 0xffff;
    private static final int DEFAULT_SECONDS = 10;
    private static final int MIN_SECONDS = 2;
    private static final int MAX_SECONDS = 600;

    /** @throws IllegalArgumentException which has the text, and says what is wrong */
    static ZooKeeperTarget parse(String text) {
        Matcher parts = PARTS.matcher(text.length() > MAX_LENGTH ? "" : text);
        if (!parts.matches() || parts.group(2).matches("\\.{1,2}")) {
            throw refused(text, "it is not " + FORM);
        }
        Map<String, String> options = options(text, parts.group(3));
        return new ZooKeeperTarget(ensemble(text, parts.group(1)), parts.group(2), base(text, options),
                sessionTimeout(text, options), authFile(text, options), readable(text, options));
    }

    private static IllegalArgumentException refused(String text, String why) {
        String shown = text.length() > MAX_LENGTH ? text.substring(0, 80) + "…" : text;
        return new IllegalArgumentException("target=" + shown + ": " + why);
    }

    private static String ensemble(String text, String hosts) {
        String[] all = hosts.split(",", -1);
        if (all.length > MAX_HOSTS) {
            throw refused(text, "an ensemble has up to " + MAX_HOSTS + " hosts, hosts=" + all.length);
        }
        List<String> places = new ArrayList<>();
        for (String host : all) {
            Matcher parts = HOST.matcher(host);
            int port = !parts.matches() ? 0 : parts.group(2) == null ? PORT : Integer.parseInt(parts.group(2));
            if (port == 0 || port > MAX_PORT) {
                throw refused(text, "'" + host + "' is not host or host:port, with IPv6 addresses in brackets");
            }
            places.add(parts.group(1) + ":" + port);
        }
        return String.join(",", places);
    }

    private static Map<String, String> options(String text, String query) {
        Map<String, String> options = new HashMap<>();
        for (String option : query == null ? new String[0] : query.split("&", -1)) {
            int equals = option.indexOf('=');
            String name = equals < 0 ? option : option.substring(0, equals);
            if (equals < 0 || !OPTIONS.contains(name) || options.put(name, option.substring(equals + 1)) != null) {
                throw refused(text, "'" + option + "' is not, once, one of base=, session-timeout=, auth-file=, read=");
            }
        }
        return options;
    }

    private static String base(String text, Map<String, String> options) {
        String base = options.getOrDefault("base", "/services");
        try {
            PathUtils.validatePath(base);
        } catch (IllegalArgumentException e) {
            throw refused(text, "base=" + base + " is not the path of a znode: " + e.getMessage());
        }
        if (base.equals("/") || base.equals("/zookeeper") || base.startsWith("/zookeeper/")) {
            throw refused(text, "base=" + base + " must be a znode below the root, and not one of ZooKeeper's own");
        }
        return base;
    }

    private static Duration sessionTimeout(String text, Map<String, String> options) {
        String value = options.getOrDefault("session-timeout", DEFAULT_SECONDS + "s");
        Matcher seconds = SECONDS.matcher(value);
        int chosen = seconds.matches() ? Integer.parseInt(seconds.group(1)) : 0;
        if (chosen < MIN_SECONDS || chosen > MAX_SECONDS) {
            throw refused(text, "session-timeout must be " + MIN_SECONDS + "s to " + MAX_SECONDS
                    + "s, session-timeout=" + value);
        }
        return Duration.ofSeconds(chosen);
    }

    private static Path authFile(String text, Map<String, String> options) {
        String file = options.get("auth-file");
        if (file == null) {
            return null;
        }
        try {
            if (!file.isEmpty()) {
                return Path.of(file);
            }
        } catch (InvalidPathException e) {
            throw refused(text, "auth-file=" + file + ": " + e.getMessage());
        }
        throw refused(text, "auth-file= needs the name of a file with user:password");
    }

    private static boolean readable(String text, Map<String, String> options) {
        String read = options.get("read");
        if (read != null && (!read.equals("world") || !options.containsKey("auth-file"))) {
            throw refused(text, "read= is world, and goes with auth-file=: without it all may read, read=" + read);
        }
        return read != null || !options.containsKey("auth-file");
    }

    /** Returns the znode that the service's servers are under. */
    String servicePath() {
        return base + "/" + service;
    }

    /** Returns what messages call it. */
    @Override
    public String toString() {
        return "zk://" + ensemble + servicePath();
    }
}
