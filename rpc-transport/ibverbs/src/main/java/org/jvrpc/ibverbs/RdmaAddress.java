package org.jvrpc.ibverbs;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Addresses of real RDMA: {@code rdma://host:port}, with options behind a question mark.
 *
 * @param host name or address: where a server listens, where a client connects to; IPv6 in brackets
 * @param port 1 to 65535; 0 lets a server take any
 * @param device name of the local device, or null to find it by the host
 * @param from local address that a client connects from, or null
 * @param driver {@code user}, {@code generic}, or null for the best there is
 * @param gidIndex of the local port, or -1 to choose
 */
record RdmaAddress(String host, int port, String device, String from, String driver, int gidIndex) {

    private static final Pattern FORM =
            Pattern.compile("rdma://(\\[[0-9A-Fa-f:.%a-z]+]|[^/?\\[\\]:]+):(\\d{1,5})(\\?.*)?");
    private static final String EXPECTED =
            " is not rdma://host:port[?device=NAME&from=LOCAL-ADDRESS&driver=user|generic&gid=INDEX]";

    /** Reads an address. @throws IllegalArgumentException when it is none */
    static RdmaAddress parse(String address) {
        Matcher matcher = FORM.matcher(address);
        if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > 0xffff) {
            throw new IllegalArgumentException("address=" + address + EXPECTED);
        }
        String host = matcher.group(1);
        Map<String, String> options = options(address, matcher.group(3));
        String driver = options.remove("driver");
        if (driver != null && !driver.equals("user") && !driver.equals("generic")) {
            throw new IllegalArgumentException("address=" + address + EXPECTED + "; driver=" + driver);
        }
        String device = options.remove("device");
        String from = options.remove("from");
        String gid = options.remove("gid");
        if (!options.isEmpty() || gid != null && !gid.matches("\\d{1,5}")) {
            throw new IllegalArgumentException("address=" + address + EXPECTED + "; unknown=" + options.keySet());
        }
        return new RdmaAddress(host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
                Integer.parseInt(matcher.group(2)), device, from, driver, gid == null ? -1 : Integer.parseInt(gid));
    }

    private static Map<String, String> options(String address, String query) {
        Map<String, String> options = new TreeMap<>();
        if (query != null) {
            for (String option : query.substring(1).split("&")) {
                int equals = option.indexOf('=');
                if (equals < 1 || options.put(option.substring(0, equals), option.substring(equals + 1)) != null) {
                    throw new IllegalArgumentException("address=" + address + EXPECTED + "; option=" + option);
                }
            }
        }
        return options;
    }
}
