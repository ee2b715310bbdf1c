/**
 * What carries the sessions of clients and servers to other processes, whatever it is made of: devices of verbs, or
 * byte streams, which bring a {@link org.jvrpc.runtime.transport.Transport} of their own, found by
 * {@link java.util.ServiceLoader}. Owns how a server admits who connects ({@code Admittance}) and the control thread
 * that does. Must never know calls, frames or streams.
 *
 * <p>Internal: public for the module's other rooms and for transports. Threads: a server has one control thread, which
 * calls its transport; clients connect on the thread that asks. Units: lengths in bytes, times in nanoseconds.
 */
package org.jvrpc.runtime.transport;
