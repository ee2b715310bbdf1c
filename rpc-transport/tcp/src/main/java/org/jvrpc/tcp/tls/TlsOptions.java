package org.jvrpc.tcp.tls;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What one side of TLS says in its address behind the question mark.
 *
 * @param chain certificates in PEM, the own first; null for none
 * @param key of the own certificate, in PEM by PKCS 8
 * @param keystore own certificates and keys, PKCS 12 or JKS, in place of these; several are chosen from by the name
 *     that a client asks for
 * @param trust certificates in PEM of who may sign the other side's; null for those of the JDK
 * @param truststore the same as a key store
 * @param passwordFile whose first line opens the key stores
 * @param crl lists of certificates that have been revoked, in PEM or DER; null where that is not looked at
 * @param name that a server has to prove in place of its address's host; null for that
 * @param protocols versions of TLS
 */
public record TlsOptions(Path chain, Path key, Path keystore, Path trust, Path truststore, Path passwordFile, Path crl,
        String name, List<String> protocols) {

    /** How an address of TLS looks. */
    public static final String FORM = "tls://host:port?chain=FILE&key=FILE&trust=FILE,"
            + " with keystore=FILE or truststore=FILE and password-file=FILE in place of PEM, crl=FILE behind trust,"
            + " protocol=TLSv1.2 or both by a comma, name=HOST that the server proves";
    private static final List<String> DEFAULT = List.of("TLSv1.3");
    private static final Set<String> PROTOCOLS = Set.of("TLSv1.3", "TLSv1.2");
    private static final Set<String> NAMES =
            Set.of("chain", "key", "keystore", "trust", "truststore", "password-file", "crl", "name", "protocol");

    /** Reads those of a query, which begins with a question mark or is empty. @throws IllegalArgumentException */
    public static TlsOptions parse(String query) {
        Map<String, String> parts = new TreeMap<>();
        for (String part : query.isEmpty() ? new String[0] : query.substring(1).split("&", -1)) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? part : part.substring(0, equals);
            require(equals > 0 && equals < part.length() - 1, "part=" + part + " is not name=value");
            require(NAMES.contains(name), "name=" + name + " is unknown");
            require(parts.put(name, part.substring(equals + 1)) == null, "name=" + name + " is there twice");
        }
        TlsOptions made = new TlsOptions(path(parts, "chain"), path(parts, "key"), path(parts, "keystore"),
                path(parts, "trust"), path(parts, "truststore"), path(parts, "password-file"), path(parts, "crl"),
                parts.get("name"), protocols(parts.get("protocol")));
        made.check();
        return made;
    }

    private void check() {
        require((chain == null) == (key == null), "chain and key belong together");
        require(chain == null || keystore == null, "chain or keystore, not both");
        require(trust == null || truststore == null, "trust or truststore, not both");
        boolean stores = keystore != null || truststore != null;
        require(stores == (passwordFile != null), "password-file is that of keystore and truststore");
        require(crl == null || hasTrusted(), "crl is of those whom trust or truststore has");
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalArgumentException(what);
        }
    }

    private static Path path(Map<String, String> parts, String name) {
        try {
            return parts.containsKey(name) ? Path.of(parts.get(name)) : null;
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(name + "=" + parts.get(name) + " is no path", e);
        }
    }

    private static List<String> protocols(String text) {
        List<String> some = text == null ? DEFAULT : List.of(text.split(",", -1));
        require(PROTOCOLS.containsAll(some), "protocol=" + text + " is none of " + PROTOCOLS);
        return some;
    }

    /** Returns true where this side has something to prove itself by. */
    public boolean proves() {
        return chain != null || keystore != null;
    }

    /** Returns true where this side says whom it trusts; a server then wants certificates of its clients. */
    public boolean hasTrusted() {
        return trust != null || truststore != null;
    }

    /** Returns the files. */
    List<Path> files() {
        return Stream.of(chain, key, keystore, trust, truststore, passwordFile, crl).filter(file -> file != null)
                .toList();
    }
}
