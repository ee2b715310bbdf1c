/**
 * What streams hold of a process: buffers that they borrow, shares of a server's that its sessions have, and messages
 * that come piece by piece. It knows no stream.
 *
 * <p>Internal: public for the rooms of streams. Threads: any, but for a mailbox, which belongs to whoever polls. Units:
 * bytes.
 */
package org.jvrpc.runtime.stream.memory;
