package org.jvrpc.tcp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * What one side of TLS proves itself by and whom it trusts: files in PEM, which are read again when they have changed.
 * Any thread.
 */
final class TlsKeys {

    private static final Pattern KEY = Pattern.compile("-----BEGIN PRIVATE KEY-----(.*?)-----END PRIVATE KEY-----",
            Pattern.DOTALL);
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");
    private static final char[] NO_PASSWORD = {};

    private final Path chain;
    private final Path key;
    private final Path trusted;
    private List<FileTime> times;
    private SSLContext context;

    /**
     * @param chain certificates, the own first; null for none
     * @param key of the own certificate, in PKCS 8
     * @param trusted certificates of who may sign the other side's; null for those of the JDK
     */
    TlsKeys(Path chain, Path key, Path trusted) {
        this.chain = chain;
        this.key = key;
        this.trusted = trusted;
    }

    boolean hasTrusted() {
        return trusted != null;
    }

    /** Returns the context of now. @throws IOException when a file is missing or makes no sense */
    synchronized SSLContext context() throws IOException {
        List<FileTime> now = new ArrayList<>();
        for (Path file : new Path[] {chain, key, trusted}) {
            now.add(file == null ? FileTime.fromMillis(0) : Files.getLastModifiedTime(file));
        }
        if (!now.equals(times)) {
            try {
                context = make();
            } catch (GeneralSecurityException e) {
                throw new IOException("keys for TLS: " + e.getMessage(), e);
            }
            times = now;
        }
        return context;
    }

    private SSLContext make() throws GeneralSecurityException, IOException {
        SSLContext made = SSLContext.getInstance("TLS");
        made.init(chain == null ? null : keyManagers(), trusted == null ? null : trustManagers(), null);
        return made;
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        return store;
    }

    private KeyManager[] keyManagers() throws GeneralSecurityException, IOException {
        KeyStore store = empty();
        store.setKeyEntry("own", privateKey(), NO_PASSWORD, certificates(chain).toArray(Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    private TrustManager[] trustManagers() throws GeneralSecurityException, IOException {
        KeyStore store = empty();
        int number = 0;
        for (Certificate certificate : certificates(trusted)) {
            store.setCertificateEntry("trusted-" + number++, certificate);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    private static Collection<? extends Certificate> certificates(Path file)
            throws GeneralSecurityException, IOException {
        try (InputStream in = Files.newInputStream(file)) {
            Collection<? extends Certificate> found = CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (found.isEmpty()) {
                throw new IOException(file + " has no certificate in PEM");
            }
            return found;
        } catch (GeneralSecurityException e) {
            throw new GeneralSecurityException(file + ": " + e.getMessage(), e);
        }
    }

    private PrivateKey privateKey() throws GeneralSecurityException, IOException {
        Matcher text = KEY.matcher(Files.readString(key, StandardCharsets.US_ASCII));
        if (!text.find()) {
            throw new IOException(key + " has no key in PEM, PKCS 8, without a password");
        }
        byte[] bytes;
        try {
            bytes = Base64.getMimeDecoder().decode(text.group(1));
        } catch (IllegalArgumentException e) {
            throw new IOException(key + ": " + e.getMessage(), e);
        }
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
            } catch (InvalidKeySpecException e) {
                continue; // of another kind
            }
        }
        throw new IOException(key + " is a key of none of " + ALGORITHMS);
    }
}
