package org.jvrpc.api.auth;

/**
 * Hears of who came, what they were allowed, and what not. Called by the server's threads, several at once, which serve
 * nobody meanwhile: it must not wait. An exception that it throws is logged and changes nothing.
 */
@FunctionalInterface
public interface AuditLog {

    void add(AuditEvent event);
}
