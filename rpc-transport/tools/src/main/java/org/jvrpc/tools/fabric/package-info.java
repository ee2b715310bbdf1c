/**
 * {@code jvrpc fabric}: runs of the simulated network by name, their pictures and captures, what a capture tells when
 * it is replayed, and the search for faults. Owns the files that are written; must never know how a network works. One
 * thread.
 */
package org.jvrpc.tools.fabric;
