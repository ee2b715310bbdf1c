package org.jvrpc.tcp.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CRL;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads files of keys, certificates and revocations. What makes no sense is named. */
final class KeyFiles {

    private static final Pattern KEY = Pattern.compile("-----BEGIN PRIVATE KEY-----(.*?)-----END PRIVATE KEY-----",
            Pattern.DOTALL);
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");
    private static final char[] NO_PASSWORD = {};

    private KeyFiles() {
    }

    /** Keys and certificates, and what opens its keys. */
    record Opened(KeyStore store, char[] password) { }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        return store;
    }

    /** Reads a certificate and its key in PEM. */
    static Opened own(Path chain, Path key) throws GeneralSecurityException, IOException {
        KeyStore store = empty();
        store.setKeyEntry("own", privateKey(key), NO_PASSWORD, certificates(chain).toArray(Certificate[]::new));
        return new Opened(store, NO_PASSWORD);
    }

    /** Reads certificates of who is trusted, in PEM. */
    static KeyStore trusted(Path file) throws GeneralSecurityException, IOException {
        KeyStore store = empty();
        int number = 0;
        for (Certificate certificate : certificates(file)) {
            store.setCertificateEntry("trusted-" + number++, certificate);
        }
        return store;
    }

    /** Opens a key store of whatever type. */
    static Opened store(Path file, Path passwordFile) throws GeneralSecurityException, IOException {
        String text = Files.readString(passwordFile, StandardCharsets.UTF_8);
        char[] password = text.lines().findFirst().orElse("").toCharArray();
        try {
            return new Opened(KeyStore.getInstance(file.toFile(), password), password);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " is no file", e);
        } catch (IOException e) {
            throw new IOException(file + ", with the password in " + passwordFile + ": " + e.getMessage(), e);
        } catch (GeneralSecurityException e) {
            throw new GeneralSecurityException(file + " is no key store: " + e.getMessage(), e);
        }
    }

    /** Reads lists of revoked certificates. */
    static Collection<? extends CRL> revoked(Path file) throws GeneralSecurityException, IOException {
        try (InputStream in = Files.newInputStream(file)) {
            Collection<? extends CRL> found = CertificateFactory.getInstance("X.509").generateCRLs(in);
            if (found.isEmpty()) {
                throw new IOException(file + " has no list of revoked certificates");
            }
            return found;
        } catch (GeneralSecurityException e) {
            throw new GeneralSecurityException(file + ": " + e.getMessage(), e);
        }
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

    private static PrivateKey privateKey(Path key) throws GeneralSecurityException, IOException {
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
