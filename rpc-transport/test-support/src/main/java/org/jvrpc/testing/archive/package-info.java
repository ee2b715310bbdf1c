/**
 * Products that an archive of ours is unpacked into: layouts of theirs in a folder, and the scripts that the archive
 * has. It owns files and short processes; it knows no product. One thread.
 */
package org.jvrpc.testing.archive;
