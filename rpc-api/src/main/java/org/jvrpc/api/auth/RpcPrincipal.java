package org.jvrpc.api.auth;

import java.net.InetAddress;
import java.security.Principal;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The caller of a call, and how it is known. Two principals are equal when they are of one kind and one identity: the
 * user of a process, the subject and issuer of a certificate, the name that a {@link TokenVerifier} gave, the host of
 * somebody unknown. Immutable.
 */
public final class RpcPrincipal implements Principal {

    /** How it is known who somebody is. */
    public enum Kind {
        /** It is not known. */
        ANONYMOUS,
        /** A process of this host, over {@code shm://} or {@code unix://}: the kernel says of which user it is. */
        PROCESS,
        /** The owner of a certificate that somebody vouches for whom the server trusts, over {@code tls://}. */
        CERTIFICATE,
        /** The owner of a token that the server's {@link TokenVerifier} takes. */
        TOKEN
    }

    /** What {@link #uid()}, {@link #gid()} and {@link #pid()} return where it is not known. */
    public static final long UNKNOWN = -1;
    /** What {@link #name()} returns of somebody unknown. */
    public static final String ANONYMOUS_NAME = "anonymous";

    private static final RpcPrincipal ANONYMOUS = anonymous(null);
    private static final int MAX_SHOWN = 200;

    private final Kind kind;
    private final String name;
    private final String identity;
    private final @Nullable InetAddress host;
    private final @Nullable Process process;
    private final List<X509Certificate> chain;
    private final @Nullable Instant expiresAt;

    private record Process(String group, long uid, long gid, long pid) { }

    private RpcPrincipal(Kind kind, String name, String identity, @Nullable InetAddress host,
            @Nullable Process process, List<X509Certificate> chain, @Nullable Instant expiresAt) {
        this.kind = kind;
        this.name = Objects.requireNonNull(name, "name");
        this.identity = identity;
        this.host = host;
        this.process = process;
        this.chain = chain;
        this.expiresAt = expiresAt;
    }

    /** Returns somebody unknown, of nobody knows where. */
    public static RpcPrincipal anonymous() {
        return ANONYMOUS;
    }

    /** Returns somebody unknown. @param host null where it is not known, either */
    public static RpcPrincipal anonymous(@Nullable InetAddress host) {
        return new RpcPrincipal(Kind.ANONYMOUS, ANONYMOUS_NAME, host == null ? "" : host.getHostAddress(), host, null,
                List.of(), null);
    }

    /**
     * Returns a process of this host.
     *
     * @param user name of its user, or the number as text where that has no name
     * @param group name of its group, as {@code user}
     * @param uid {@link #UNKNOWN} where it cannot be told, as the next two
     */
    public static RpcPrincipal process(String user, String group, long uid, long gid, long pid) {
        return new RpcPrincipal(Kind.PROCESS, user, user, null, new Process(group, uid, gid, pid), List.of(), null);
    }

    /**
     * Returns the owner of a certificate, who expires when the first certificate of the chain does that expires.
     *
     * @param chain the owner's first; what proves it is the caller's to have looked at
     * @throws IllegalArgumentException when it is empty
     */
    public static RpcPrincipal certificate(List<X509Certificate> chain, @Nullable InetAddress host) {
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("a chain of certificates has one at least");
        }
        X509Certificate own = chain.get(0);
        String subject = own.getSubjectX500Principal().getName();
        @Nullable Instant end = null;
        for (X509Certificate certificate : chain) {
            Instant notAfter = certificate.getNotAfter().toInstant();
            end = end == null || notAfter.isBefore(end) ? notAfter : end;
        }
        return new RpcPrincipal(Kind.CERTIFICATE, subject,
                subject + "\n" + own.getIssuerX500Principal().getName(), host, null, List.copyOf(chain), end);
    }

    /**
     * Returns whoever has a token. The token itself is not kept.
     *
     * @param name which the verifier read in the token, or knows
     * @param expiresAt when the token is none any more; null for never
     */
    public static RpcPrincipal token(String name, @Nullable Instant expiresAt) {
        return new RpcPrincipal(Kind.TOKEN, name, name, null, null, List.of(), expiresAt);
    }

    public Kind kind() {
        return kind;
    }

    /** Returns false where nothing is known of who calls. */
    public boolean isKnown() {
        return kind != Kind.ANONYMOUS;
    }

    /**
     * Returns the name: of a process's user, a certificate's subject as RFC 2253 has it, what a token's verifier said.
     * Others may have chosen it: see {@link #toString} for logs.
     */
    public String name() {
        return name;
    }

    @Override
    public String getName() {
        return name;
    }

    /** Returns the address of the host; null for this one, and for a token's owner. */
    public @Nullable InetAddress host() {
        return host;
    }

    /** Returns the name of a process's group; null for others. */
    public @Nullable String group() {
        return process == null ? null : process.group;
    }

    /** Returns the number of a process's user, or {@link #UNKNOWN}. */
    public long uid() {
        return process == null ? UNKNOWN : process.uid;
    }

    /** Returns the number of a process's group, or {@link #UNKNOWN}. */
    public long gid() {
        return process == null ? UNKNOWN : process.gid;
    }

    /**
     * Returns the number of a process, or {@link #UNKNOWN}, as over {@code unix://}. It is for logs, and no proof:
     * over {@code shm://} it is the process's own word, looked at only for being one of the same user's.
     */
    public long pid() {
        return process == null ? UNKNOWN : process.pid;
    }

    /** Returns the certificates, the own first; empty for others. */
    public List<X509Certificate> chain() {
        return chain;
    }

    /**
     * Returns the other names of a certificate's owner, each as its kind and value, {@code DNS:host} or {@code IP:…} or
     * {@code URI:…} or {@code email:…}; those of other kinds are left out. Empty where there are none.
     */
    public List<String> alternativeNames() {
        List<String> names = new ArrayList<>();
        try {
            if (!chain.isEmpty() && chain.get(0).getSubjectAlternativeNames() != null) {
                for (List<?> name : chain.get(0).getSubjectAlternativeNames()) {
                    String kind = prefix((Integer) name.get(0));
                    if (kind != null) {
                        names.add(kind + name.get(1));
                    }
                }
            }
        } catch (CertificateParsingException e) {
            return List.of(); // such names prove nothing
        }
        return names;
    }

    /** Of RFC 5280's GeneralName. */
    private static @Nullable String prefix(int kind) {
        return switch (kind) {
            case 1 -> "email:";
            case 2 -> "DNS:";
            case 6 -> "URI:";
            case 7 -> "IP:";
            default -> null;
        };
    }

    /** Returns when what proves it is none any more; null for never. */
    public @Nullable Instant expiresAt() {
        return expiresAt;
    }

    /** Returns true at that time and later. */
    public boolean isExpired(Instant now) {
        return expiresAt != null && !now.isBefore(expiresAt);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RpcPrincipal principal && principal.kind == kind
                && principal.identity.equals(identity);
    }

    @Override
    public int hashCode() {
        return identity.hashCode() * 31 + kind.ordinal();
    }

    /** Returns kind and name, printable and of bounded length. */
    @Override
    public String toString() {
        String what = kind == Kind.ANONYMOUS ? identity : name;
        return kind.name().toLowerCase(Locale.ROOT) + (what.isEmpty() ? "" : ":" + Printable.of(what,
                MAX_SHOWN));
    }
}
