package org.jvrpc.router;

/** A refusal with the values that matter, never with a token or a key. */
public final class RefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Refusal refusal;

    /** Makes one. */
    public RefusedException(Refusal refusal, String message) {
        super(refusal + ": " + message);
        this.refusal = refusal;
    }

    /** Returns what says that a quota is spent: which, how much of it, and whose. */
    public static RefusedException quota(TenantId whose, QuotaKind kind, long has, long wants, long limit) {
        return new RefusedException(Refusal.QUOTA, "tenant=" + whose + " quota=" + kind + " has=" + has + " wants="
                + wants + " limit=" + limit);
    }

    public Refusal refusal() {
        return refusal;
    }
}
