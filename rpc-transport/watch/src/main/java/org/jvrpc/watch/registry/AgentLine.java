package org.jvrpc.watch.registry;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jvrpc.watch.AgentInfo;

/**
 * An agent as a line of text: {@code id=7 name=h7 rack=r1 pod=p1 version=1 incarnation=1f… address=4a57…}, in any
 * order, the last two in hexadecimal.
 */
final class AgentLine {

    private static final List<String> KEYS = List.of("id", "name", "rack", "pod", "version", "incarnation", "address");
    private static final int MOST_NAME = 128;
    private static final int MOST_ADDRESS = 256;
    private static final int MOST_SHOWN = 40;

    private AgentLine() {
    }

    /** Returns the line. @throws IllegalArgumentException for what cannot be one */
    static String format(AgentInfo agent) {
        String line = "id=" + agent.id() + " name=" + agent.name() + " rack=" + agent.rack() + " pod=" + agent.pod()
                + " version=" + agent.version() + " incarnation=" + Long.toHexString(agent.incarnation()) + " address="
                + HexFormat.of().formatHex(agent.address());
        parse(line);
        return line;
    }

    /** Returns the agent. @throws IllegalArgumentException for a line that is none: says why */
    static AgentInfo parse(String line) {
        Map<String, String> fields = new HashMap<>();
        for (String field : line.strip().split("\\s+")) {
            int equals = field.indexOf('=');
            String key = equals < 0 ? field : field.substring(0, equals);
            if (equals < 0 || !KEYS.contains(key)) {
                throw new IllegalArgumentException("unknown: " + shown(key) + "; known are " + KEYS);
            }
            if (fields.put(key, field.substring(equals + 1)) != null) {
                throw new IllegalArgumentException(key + " is there twice");
            }
        }
        for (String key : KEYS) {
            if (!fields.containsKey(key)) {
                throw new IllegalArgumentException(key + " is missing");
            }
        }
        byte[] address = address(fields.get("address"));
        return new AgentInfo((int) number("id", fields, 10, Integer.MAX_VALUE), name("name", fields),
                name("rack", fields), name("pod", fields), address, (int) number("version", fields, 10, 255),
                number("incarnation", fields, 16, -1));
    }

    /** Returns which two agents have one name, by which people are told of both; null: none have. */
    static String clash(Collection<AgentInfo> agents) {
        Map<String, Integer> ids = new HashMap<>();
        for (AgentInfo agent : agents) {
            Integer other = ids.putIfAbsent(agent.name(), agent.id());
            if (other != null && other != agent.id()) {
                return "agents " + other + " and " + agent.id() + " are both called " + shown(agent.name())
                        + ": what is said of one may be the other's";
            }
        }
        return null;
    }

    private static byte[] address(String hex) {
        if (hex.isEmpty() || hex.length() > 2 * MOST_ADDRESS) {
            throw new IllegalArgumentException("address has " + hex.length() / 2 + " bytes, 1 to " + MOST_ADDRESS
                    + " are wanted");
        }
        try {
            return HexFormat.of().parseHex(hex);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("address=" + shown(hex) + " is not hexadecimal", e);
        }
    }

    private static long number(String key, Map<String, String> fields, int radix, long most) {
        String text = fields.get(key);
        try {
            long value = Long.parseUnsignedLong(text, radix);
            if (text.charAt(0) != '+' && Long.compareUnsigned(value, most) <= 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new IllegalArgumentException(key + "=" + shown(text) + " is no number that it may be");
    }

    private static String name(String key, Map<String, String> fields) {
        String text = fields.get(key);
        if (text.isEmpty() || text.getBytes(StandardCharsets.UTF_8).length > MOST_NAME
                || text.chars().anyMatch(c -> Character.isISOControl(c) || c == 0x2028 || c == 0x2029)) { // line ends
            throw new IllegalArgumentException(key + "=" + shown(text) + " is no name: 1 to " + MOST_NAME
                    + " bytes without control characters are wanted");
        }
        return text;
    }

    private static String shown(String text) {
        String start = text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "..." : text;
        return start.replaceAll("[\\p{Cntrl}\\x80-\\x9f]", "?");
    }
}
