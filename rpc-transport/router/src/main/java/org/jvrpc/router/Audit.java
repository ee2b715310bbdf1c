package org.jvrpc.router;

/** Remembers who did what. Never blocks, never throws: what cannot be kept is counted. Any thread. */
public interface Audit {

    /** @param refusal null: it was allowed */
    void write(TenantId tenant, String what, Refusal refusal, String detail);
}
