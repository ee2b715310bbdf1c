/**
 * Who did what: one line of JSON an event, in files that only the router's user reads. Knows no other room. Times are
 * UTC, sizes bytes.
 */
package org.jvrpc.router.audit;
