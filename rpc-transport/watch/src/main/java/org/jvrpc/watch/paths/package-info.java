/**
 * Which ways flows take on real networks: what traceroutes told, from a file that is read anew when it changes. It
 * knows the vocabulary alone, and nothing of who traces or who judges.
 */
package org.jvrpc.watch.paths;
