package org.jvrpc.router.peer;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import org.jvrpc.router.Audit;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.map.ControlView;
import org.jvrpc.router.map.RouterRecord;
import org.jvrpc.tcp.tls.TlsKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks whether who says to be the router of a host is what the control plane knows of it. The links' thread. */
final class Proof {

    /** Whom the audit log names where it is no tenant's doing. */
    private static final TenantId ROUTER = new TenantId("router");

    private static final Logger LOG = LoggerFactory.getLogger(Proof.class);

    private final String host;
    private final int version;
    private final long incarnation;
    private final ControlView view;
    private final Audit audit;

    Proof(String host, int version, long incarnation, ControlView view, Audit audit) {
        this.host = host;
        this.version = version;
        this.incarnation = incarnation;
        this.view = view;
        this.audit = audit;
    }

    /** Before anybody waits for it: the first handshake of a JVM takes it a thousand classes. */
    static void rehearse(TlsKeys keys, String name) {
        try {
            LOG.debug("a handshake with itself succeeds: {}", keys.rehearse(name));
        } catch (IOException e) {
            LOG.debug("name={} is not what this router's certificate is for: {}", name, e.toString());
        }
    }

    /** Returns what this router says of itself. */
    PeerCodec.Hello hello() {
        return new PeerCodec.Hello(version, version, host, incarnation);
    }

    /** Returns who it is. @throws RefusedException when it is not whom it says, or speaks another version */
    Peer check(Link link, PeerCodec.Hello said) {
        if (version < said.leastVersion() || version > said.mostVersion()) {
            throw new RefusedException(Refusal.VERSION, "router of host=" + said.host() + " speaks versions="
                    + said.leastVersion() + " to " + said.mostVersion() + ", that of host=" + host + " version="
                    + version);
        }
        if (said.host().equals(host) || link.host() != null && !said.host().equals(link.host())) {
            throw new RefusedException(Refusal.PEER_ROUTER, "host=" + said.host() + " is not host=" + link.host());
        }
        RouterRecord record = view.router(said.host());
        if (record == null) {
            throw new RefusedException(Refusal.PEER_ROUTER, "host=" + said.host()
                    + " has no router that host=" + host + " knows");
        }
        String refusal = refusal(link.certificates(), record);
        if (refusal != null) {
            throw new RefusedException(Refusal.PEER_ROUTER, refusal);
        }
        if (record.incarnation() != 0 && record.incarnation() != said.incarnation()) {
            throw new RefusedException(Refusal.STALE_EPOCH, "host=" + said.host() + " says incarnation="
                    + Long.toHexString(said.incarnation()) + ", host=" + host + " knows incarnation="
                    + Long.toHexString(record.incarnation()));
        }
        return new Peer(said.host(), said.incarnation(), record.data(), host.compareTo(said.host()) < 0);
    }

    /** Returns why a link must not go on by what is known now, or null. Who is not known any more is not cut off. */
    String refusalNow(Link link) {
        String refusal = link.refusal();
        if (refusal != null) {
            return refusal;
        }
        RouterRecord record = view.router(link.host());
        return record == null ? null : refusal(link.certificates(), record);
    }

    private static String refusal(List<X509Certificate> shown, RouterRecord record) {
        byte[] wanted = record.certificateSha256();
        if (shown.isEmpty() || wanted == null || wanted.length == 0) {
            return "host=" + record.host() + (shown.isEmpty() ? " has shown no certificate"
                    : " has no certificate in the control plane");
        }
        byte[] is;
        try {
            is = MessageDigest.getInstance("SHA-256").digest(shown.get(0).getEncoded());
        } catch (GeneralSecurityException e) {
            return "host=" + record.host() + ": " + e.getMessage();
        }
        return MessageDigest.isEqual(is, wanted) ? null : "host=" + record.host() + " is a stranger: its certificate's"
                + " sha256=" + HexFormat.of().formatHex(is) + ", the control plane knows sha256="
                + HexFormat.of().formatHex(wanted);
    }

    /** Whoever it was is not known as a router. */
    void refused(Link link, String why) {
        audit.write(ROUTER, "peer", Refusal.PEER_ROUTER, "host=" + link.host() + ": " + why);
    }
}
