package org.acme;

import java.time.Instant;
import java.util.List;

/** Carried by its longest constructor. */
public class Overdrawn extends Exception {

    private static final long serialVersionUID = 1L;

    private final long account;
    private final transient List<Instant> since;
    private final Kind kind;

    /** What it is about. */
    public enum Kind { SOFT, HARD }

    public Overdrawn(String message, long account, List<Instant> since, Kind kind) {
        super(message);
        this.account = account;
        this.since = since;
        this.kind = kind;
    }

    public Overdrawn(String message, long account) {
        this(message, account, List.of(), Kind.SOFT);
    }

    public Overdrawn(String message, Throwable cause) {
        super(message, cause);
        this.account = 0;
        this.since = List.of();
        this.kind = Kind.SOFT;
    }

    public long account() {
        return account;
    }

    public List<Instant> getSince() {
        return since;
    }

    public Kind getKind() {
        return kind;
    }
}
