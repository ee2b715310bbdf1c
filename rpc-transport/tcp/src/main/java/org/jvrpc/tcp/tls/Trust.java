package org.jvrpc.tcp.tls;

import java.net.Socket;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertPathValidatorException.Reason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.PKIXReason;
import java.security.cert.X509Certificate;
import java.time.Instant;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** Says who is trusted, as another one does, and in words why somebody is not. Any thread. */
final class Trust extends X509ExtendedTrustManager {

    private final X509ExtendedTrustManager judge;

    Trust(X509ExtendedTrustManager judge) {
        this.judge = judge;
    }

    /** Returns why a client's certificates are not trusted now, or null. */
    String refusalOfClient(X509Certificate[] chain) {
        return refusal(() -> judge.checkClientTrusted(chain, chain[0].getPublicKey().getAlgorithm()), chain);
    }

    /** The same of a server's, but for its name. */
    String refusalOfServer(X509Certificate[] chain) {
        return refusal(() -> judge.checkServerTrusted(chain, "UNKNOWN"), chain);
    }

    private static String refusal(Check check, X509Certificate[] chain) {
        try {
            run(check, chain);
            return null;
        } catch (CertificateException e) {
            return e.getMessage();
        }
    }

    private interface Check {
        void run() throws CertificateException;
    }

    private static void run(Check check, X509Certificate[] chain) throws CertificateException {
        try {
            check.run();
            expectValid(chain[0]);
        } catch (CertificateException e) {
            Throwable cause = cause(e);
            throw new CertificateException(text(chain, e, cause), cause); // whose reason the other side is told
        }
    }

    /** Of one that is itself among the trusted, the JDK does not look at the time. */
    private static void expectValid(X509Certificate own) throws CertificateException {
        try {
            own.checkValidity();
        } catch (CertificateExpiredException e) {
            throw new CertificateException(untimely(e, BasicReason.EXPIRED));
        } catch (CertificateNotYetValidException e) {
            throw new CertificateException(untimely(e, BasicReason.NOT_YET_VALID));
        }
    }

    private static CertPathValidatorException untimely(Exception e, BasicReason reason) {
        return new CertPathValidatorException(e.getMessage(), e, null, -1, reason);
    }

    private static Throwable cause(CertificateException e) {
        for (Throwable each = e; each != null; each = each.getCause()) {
            if (each instanceof CertPathValidatorException || each instanceof CertPathBuilderException) {
                return each;
            }
        }
        return e;
    }

    private static String text(X509Certificate[] chain, CertificateException e, Throwable cause) {
        X509Certificate own = chain[0];
        String who = "the certificate of subject=\"" + own.getSubjectX500Principal() + "\" ";
        if (cause instanceof CertPathValidatorException path) {
            int index = Math.max(0, Math.min(path.getIndex(), chain.length - 1));
            return (index == 0 ? who : "the certificate of issuer=\"" + chain[index].getSubjectX500Principal() + "\" ")
                    + text(path.getReason(), chain[index], path);
        }
        if (cause instanceof CertPathBuilderException) {
            return who + unknown(own, e);
        }
        return who + "is not that of whom this side wanted: " + e.getMessage();
    }

    private static String text(Reason reason, X509Certificate certificate, Exception e) {
        if (reason == BasicReason.EXPIRED) {
            return "has expired: it was valid until " + instant(certificate.getNotAfter().getTime());
        }
        if (reason == BasicReason.NOT_YET_VALID) {
            return "is not valid yet: it is from " + instant(certificate.getNotBefore().getTime()) + " on";
        }
        if (reason == BasicReason.REVOKED) {
            return "has been revoked";
        }
        if (reason == BasicReason.UNDETERMINED_REVOCATION_STATUS) {
            return "may have been revoked: no list of now of issuer=\"" + certificate.getIssuerX500Principal() + "\"";
        }
        return reason == PKIXReason.NO_TRUST_ANCHOR ? unknown(certificate, e) : "is refused: " + e.getMessage();
    }

    private static Instant instant(long ms) {
        return Instant.ofEpochMilli(ms);
    }

    private static String unknown(X509Certificate certificate, Exception e) {
        boolean itself = certificate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal());
        return (itself ? "is signed by itself" : "is signed by issuer=\"" + certificate.getIssuerX500Principal() + "\"")
                + ", for which nobody vouches whom this side trusts: " + e.getMessage();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        run(() -> judge.checkClientTrusted(chain, type, socket), chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        run(() -> judge.checkServerTrusted(chain, type, socket), chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        run(() -> judge.checkClientTrusted(chain, type, engine), chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        run(() -> judge.checkServerTrusted(chain, type, engine), chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        run(() -> judge.checkClientTrusted(chain, type), chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        run(() -> judge.checkServerTrusted(chain, type), chain);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return judge.getAcceptedIssuers();
    }
}
