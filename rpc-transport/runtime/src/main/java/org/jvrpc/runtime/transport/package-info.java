/**
 * What carries the sessions of clients and servers to other processes, whatever it is made of: devices of verbs, or
 * byte streams, which bring a {@link org.jvrpc.runtime.transport.Transport} of their own.
 */
package org.jvrpc.runtime.transport;
