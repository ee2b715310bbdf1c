package org.jvrpc.watch.web;

import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Under which names the server may be asked. A page of a foreign host that lets its own name point here (DNS rebinding)
 * asks under that name, and is refused. A literal address cannot be pointed elsewhere.
 */
final class HostNames {

    private static final Pattern PORT = Pattern.compile(":\\d{1,5}$");
    private static final Pattern LITERAL = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|\\[[0-9a-fA-F:.]{2,45}]");

    private final Set<String> names = new TreeSet<>();

    HostNames(Collection<String> others) {
        names.add("localhost");
        for (String name : others) {
            names.add(name.toLowerCase(Locale.ROOT));
        }
    }

    /** Tells whether a Host header is one of this server's; null is none. */
    boolean allow(String header) {
        if (header == null) {
            return false;
        }
        String name = PORT.matcher(header.trim()).replaceFirst("").toLowerCase(Locale.ROOT);
        return LITERAL.matcher(name).matches() || names.contains(name);
    }
}
