/**
 * Tenants that go round the driver: sockets, files, rings and words as a hostile container would write them, and pairs
 * of neighbours whose messages bear stamps and checksums. Knows the wire's layouts and the router's front, nothing of
 * its rooms.
 */
package org.jvrpc.router.hostile;
