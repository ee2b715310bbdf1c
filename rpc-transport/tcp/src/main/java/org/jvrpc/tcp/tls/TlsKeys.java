package org.jvrpc.tcp.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertStore;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one side of TLS proves itself by and whom it trusts: files, which are read again when they have changed. As long
 * as they have not, connections resume what those before agreed upon. Any thread.
 */
public final class TlsKeys {

    private static final Logger LOG = LoggerFactory.getLogger(TlsKeys.class);
    /** Chooses among several certificates by the name that a client asks for. */
    private static final String BY_NAME = "NewSunX509";
    /** Looks for the sake of sessions that live are no closer to each other. */
    private static final long LOOK_NS = 1_000_000_000L;

    private final TlsOptions options;
    private List<FileTime> times;
    private State state;
    private long lookedNs = System.nanoTime() - LOOK_NS;

    public TlsKeys(TlsOptions options) {
        this.options = options;
    }

    private record State(SSLContext context, Trust trust) { }

    /** Reads the files, unless they are the same. @throws IOException when one is missing or makes no sense */
    public void read() throws IOException {
        state();
    }

    private synchronized State state() throws IOException {
        List<FileTime> now = new ArrayList<>();
        for (Path file : options.files()) {
            now.add(Files.getLastModifiedTime(file));
        }
        if (!now.equals(times)) {
            try {
                state = make();
            } catch (GeneralSecurityException e) {
                throw new IOException("keys for TLS: " + e.getMessage(), e);
            }
            times = now;
        }
        return state;
    }

    private State make() throws GeneralSecurityException, IOException {
        SSLContext made = SSLContext.getInstance("TLS");
        Trust trust = new Trust(judge());
        made.init(options.proves() ? keyManagers() : null, new TrustManager[] {trust}, null);
        return new State(made, trust);
    }

    private KeyManager[] keyManagers() throws GeneralSecurityException, IOException {
        KeyFiles.Opened own = options.keystore() == null ? KeyFiles.own(options.chain(), options.key())
                : KeyFiles.store(options.keystore(), options.passwordFile());
        KeyManagerFactory factory = KeyManagerFactory.getInstance(BY_NAME);
        factory.init(own.store(), own.password());
        return factory.getKeyManagers();
    }

    private X509ExtendedTrustManager judge() throws GeneralSecurityException, IOException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        KeyStore trusted = options.trust() != null ? KeyFiles.trusted(options.trust())
                : options.truststore() != null ? KeyFiles.store(options.truststore(), options.passwordFile()).store()
                : null;
        if (options.crl() == null) {
            factory.init(trusted);
        } else {
            PKIXBuilderParameters parameters = new PKIXBuilderParameters(trusted, new X509CertSelector());
            parameters.setRevocationEnabled(true);
            parameters.addCertStore(CertStore.getInstance("Collection",
                    new CollectionCertStoreParameters(KeyFiles.revoked(options.crl()))));
            factory.init(new CertPathTrustManagerParameters(parameters));
        }
        return Stream.of(factory.getTrustManagers()).filter(X509ExtendedTrustManager.class::isInstance)
                .map(X509ExtendedTrustManager.class::cast).findFirst()
                .orElseThrow(() -> new GeneralSecurityException("the JDK has nothing to say whom to trust by"));
    }

    /**
     * Makes the engine of a connection.
     *
     * @param host that the server proves to be, where the options do not say another
     * @param client true for the side that connected
     */
    SSLEngine engine(String host, int port, boolean client) throws IOException {
        String name = options.name() == null ? host : options.name();
        SSLEngine engine = state().context().createSSLEngine(name, port);
        engine.setUseClientMode(client);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(options.protocols().toArray(String[]::new));
        parameters.setCipherSuites(Stream.of(engine.getEnabledCipherSuites()).filter(TlsKeys::isGood)
                .toArray(String[]::new));
        if (client) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS"); // the name, or the address, is in the certificate
        } else {
            parameters.setNeedClientAuth(options.hasTrusted());
        }
        engine.setSSLParameters(parameters);
        return engine;
    }

    /**
     * Shakes hands with itself, in memory, so that what the JDK loads for that is there before the first peer waits for
     * it.
     *
     * @param name by which others know this side
     * @return true when both sides were done
     * @throws IOException when this side would not trust itself under that name, or its files make no sense
     */
    public boolean rehearse(String name) throws IOException {
        return Rehearsal.of(engine(name, 0, true), engine(name, 0, false));
    }

    /** Returns true for what nobody can open later who gets the key. Those of 1.3 name no exchange of keys. */
    private static boolean isGood(String suite) {
        boolean sealed = suite.contains("_GCM_") || suite.contains("_CHACHA20_");
        return sealed && (suite.startsWith("TLS_AES_") || suite.startsWith("TLS_CHACHA20_")
                || suite.startsWith("TLS_ECDHE_"));
    }

    /**
     * Returns why those are not trusted any more, which once were, or null. @param client true for those of a client
     */
    String refusal(X509Certificate[] chain, boolean client) throws IOException {
        Trust now = state().trust();
        return client ? now.refusalOfClient(chain) : now.refusalOfServer(chain);
    }

    /** Goes on with what was read before where a file is just being written. */
    private synchronized Trust trustLately() {
        long nowNs = System.nanoTime();
        if (nowNs - lookedNs >= LOOK_NS) {
            lookedNs = nowNs;
            try {
                return state().trust();
            } catch (IOException e) {
                LOG.warn("{}: sessions go on with what was read before", e.getMessage());
            }
        }
        return state.trust();
    }

    /** The same of a session that goes on, for which files are looked at once a second at most. */
    String refusalLately(X509Certificate[] chain, boolean client) {
        Trust now = trustLately();
        return client ? now.refusalOfClient(chain) : now.refusalOfServer(chain);
    }
}
