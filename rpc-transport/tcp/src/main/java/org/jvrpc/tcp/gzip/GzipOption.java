package org.jvrpc.tcp.gzip;

import java.util.ArrayList;
import java.util.List;

/**
 * What an address says of compression, behind its question mark.
 *
 * @param said {@code compression=gzip} as true, {@code compression=identity} as false; null where it says nothing
 * @param secrets {@code compress-secrets=yes}: also where lengths are all that strangers see
 * @param rest what else it says, with its question mark, or empty
 */
public record GzipOption(Boolean said, boolean secrets, String rest) {

    private static final String COMPRESSION = "compression";
    private static final String SECRETS = "compress-secrets";

    /** Reads what a query says, which begins with a question mark or is empty. @throws IllegalArgumentException */
    public static GzipOption parse(String query) {
        String compression = null;
        String secrets = null;
        List<String> rest = new ArrayList<>();
        for (String part : query.isEmpty() ? new String[0] : query.substring(1).split("&", -1)) {
            String name = part.replaceFirst("=.*", "");
            String value = part.substring(Math.min(part.length(), name.length() + 1));
            switch (name) {
                case COMPRESSION -> compression = once(name, compression, value, "gzip", "identity");
                case SECRETS -> secrets = once(name, secrets, value, "yes", "no");
                default -> rest.add(part);
            }
        }
        return new GzipOption(compression == null ? null : compression.equals("gzip"), "yes".equals(secrets),
                rest.isEmpty() ? "" : "?" + String.join("&", rest));
    }

    private static String once(String name, String before, String value, String one, String other) {
        require(before == null, name + " is there twice");
        require(value.equals(one) || value.equals(other), name + "=" + value + " is neither " + one + " nor " + other);
        return value;
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalArgumentException(what);
        }
    }

    /** Fails where it says what is of no use without TLS. */
    public GzipOption inPlain() {
        require(!secrets, SECRETS + " is said of TLS: here all can be read");
        return this;
    }

    /** Fails where it asks for compression over TLS and does not say that it knows what that tells. */
    public GzipOption overTls() {
        require(isAsked() || !secrets, SECRETS + " goes with " + COMPRESSION + "=gzip");
        require(!isAsked() || secrets, COMPRESSION + "=gzip over TLS has whoever sees lengths guess secrets that stand"
                + " beside what strangers chose (CRIME, BREACH): where none do, say " + SECRETS + "=yes as well");
        return this;
    }

    /** Returns true where it asks for compression. */
    public boolean isAsked() {
        return said != null && said;
    }

    /** Returns true unless it says that there is to be none. */
    public boolean isTaken() {
        return said == null || said;
    }
}
