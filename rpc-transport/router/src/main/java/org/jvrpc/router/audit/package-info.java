/**
 * Who did what: one line of JSON an event, in files that only the router's user reads; and the router's own log of what
 * others cause, which nobody can flood. Knows no other room. Times are UTC, sizes bytes.
 */
package org.jvrpc.router.audit;
