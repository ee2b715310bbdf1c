package org.jvrpc.softrnic.router.wire;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** Virtual addresses as text: one text for each, whatever way it was written in, and never a name. Any thread. */
public final class AddressText {

    private static final String OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
    private static final Pattern IPV4 = Pattern.compile(OCTET + "(?:\\." + OCTET + "){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:]*:[0-9a-fA-F:]*:[0-9a-fA-F:]*");
    private static final int MOST = 41;

    private AddressText() {
    }

    /**
     * Returns the address of a text, an IPv6 one with or without brackets.
     *
     * @throws IllegalArgumentException for what is no number of IPv4 or IPv6
     */
    public static InetAddress parse(String text) {
        boolean brackets = text.startsWith("[") && text.endsWith("]") && text.length() > 1;
        String bare = brackets ? text.substring(1, text.length() - 1) : text;
        // else it would be looked up as a name
        if (text.length() <= MOST && (IPV6.matcher(bare).matches() || !brackets && IPV4.matcher(bare).matches())) {
            try {
                return InetAddress.getByName(bare);
            } catch (UnknownHostException e) {
                throw refused(text, e);
            }
        }
        throw refused(text, null);
    }

    private static IllegalArgumentException refused(String text, Exception cause) {
        return new IllegalArgumentException("virtual address=" + text.substring(0, Math.min(text.length(), MOST))
                + " is no number of IPv4 or IPv6", cause);
    }
}
