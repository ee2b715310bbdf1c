/**
 * {@code jvrpc list|describe|call|health|admin}: servers as people and scripts see them, without code of their
 * services. Services are learned by reflection, or from descriptors. Threads: the command's, and the client's.
 */
package org.jvrpc.tools.call;
