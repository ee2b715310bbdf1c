/**
 * {@code jvrpc top}: what the clients and servers of this host do, by the counters that their processes keep in files.
 * Owns rates, tables and the terminal; must never know how anything is counted. Threads: the command's, and the one
 * that ends the process, which sets the terminal right.
 */
package org.jvrpc.tools.top;
