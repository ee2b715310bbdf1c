/**
 * What is kept over restarts: rows of series by window, in files of H2's MVStore, one an hour, so that the oldest hour
 * goes by deleting its file, that a broken file costs one hour, and that their sizes together are the size of all.
 * Knows nothing of what rows mean. One thread writes; any thread reads. Times are in ns, sizes in bytes.
 */
package org.jvrpc.watch.history;
