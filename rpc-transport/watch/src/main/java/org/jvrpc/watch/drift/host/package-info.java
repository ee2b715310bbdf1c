/**
 * What Linux tells of how a host's RDMA devices are set up: files below a root, and the text of the tool {@code dcb}.
 * Knows no other tool of jvRPC. Reads alone. One thread.
 */
package org.jvrpc.watch.drift.host;
