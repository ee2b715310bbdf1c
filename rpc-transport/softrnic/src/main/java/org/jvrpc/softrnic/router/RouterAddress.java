package org.jvrpc.softrnic.router;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jvrpc.softrnic.router.wire.AddressText;

/**
 * Addresses of virtual RNICs: {@code router://address:port}, with options behind a question mark.
 *
 * @param text as it was given
 * @param address virtual address, a number of IPv4 or, without its brackets, of IPv6; never looked up
 * @param port of the service, 0 to 65535; 0 where only a device is meant
 * @param folder where the tenant's router is met
 * @param slow doorbells travel as frames on the socket
 */
public record RouterAddress(String text, String address, int port, Path folder, boolean slow) {

    private static final Pattern FORM = Pattern.compile(
            "router://(\\d{1,3}(?:\\.\\d{1,3}){3}|\\[[0-9A-Fa-f:]{2,39}]):(\\d{1,5})(\\?.*)?");
    private static final String EXPECTED = " is not router://ADDRESS:port[?dir=FOLDER&path=fast|slow], with an IPv4"
            + " address, or an IPv6 address in brackets, and ports up to 65535";
    private static final String FOLDER_PROPERTY = "jvrpc.router.dir";
    private static final String FOLDER_VARIABLE = "JVRPC_ROUTER";
    private static final String DEFAULT_FOLDER = "/run/jvrpc";
    private static final int MOST_PORT = 0xffff;

    /** Reads an address. @throws IllegalArgumentException when it is none */
    public static RouterAddress parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > MOST_PORT) {
            throw new IllegalArgumentException("address=" + text + EXPECTED);
        }
        Map<String, String> options = options(text, matcher.group(3));
        String folder = options.remove("dir");
        String path = options.remove("path");
        if (!options.isEmpty() || path != null && !path.equals("fast") && !path.equals("slow")) {
            throw new IllegalArgumentException("address=" + text + EXPECTED + "; unknown=" + options.keySet() + " path="
                    + path);
        }
        String host = matcher.group(1);
        return new RouterAddress(text, inet(text, host).getHostAddress(), Integer.parseInt(matcher.group(2)),
                folder == null ? defaultFolder() : Path.of(folder), "slow".equals(path));
    }

    /** Returns the same with a port in the place of 0. */
    RouterAddress withPort(int chosen) {
        Matcher matcher = FORM.matcher(text);
        matcher.matches();
        String now = text.substring(0, matcher.start(2)) + chosen + text.substring(matcher.end(2));
        return new RouterAddress(now, address, chosen, folder, slow);
    }

    private static Map<String, String> options(String text, String query) {
        Map<String, String> options = new TreeMap<>();
        if (query != null) {
            for (String option : query.substring(1).split("&")) {
                int equals = option.indexOf('=');
                if (equals < 1 || options.put(option.substring(0, equals), option.substring(equals + 1)) != null) {
                    throw new IllegalArgumentException("address=" + text + EXPECTED + "; option=" + option);
                }
            }
        }
        return options;
    }

    /** Returns the folder of those who name none. */
    public static Path defaultFolder() {
        String chosen = System.getProperty(FOLDER_PROPERTY, System.getenv(FOLDER_VARIABLE));
        return Path.of(chosen == null || chosen.isEmpty() ? DEFAULT_FOLDER : chosen);
    }

    /** Returns a virtual address, which is a number that nobody looks up. @throws IllegalArgumentException for none */
    static InetAddress inet(String text, String number) {
        try {
            return AddressText.parse(number);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("address=" + text + EXPECTED + "; " + e.getMessage(), e);
        }
    }
}
