/**
 * Histories of concurrent operations and a check of what they mean: who called what when, and whether one order of all
 * operations explains every answer. It owns recorders, models of sequential behaviour and the search for that order; it
 * knows nothing of what is tested. Times are {@link System#nanoTime}, which on Linux is one clock for all processes of
 * a machine. A recorder is for any thread; the check is for one.
 */
package org.jvrpc.testing.history;
