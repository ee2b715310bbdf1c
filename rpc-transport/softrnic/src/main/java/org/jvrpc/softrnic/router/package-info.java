/**
 * A device whose work a router does: the tenant's side of {@code router://}. Its memory, rings and driver are those of
 * any software RNIC; what is sent is executed by the router's process, to which the device says by frames on a Unix
 * socket what it has, and rings for what it sends. Must never know how a router does that, nor other tenants.
 *
 * <p>Memory that a program brings ({@code register(ByteBuffer)}) is none that a router can map: it has a slab of the
 * same addresses beside it, which counts in the tenant's quota. What is sent is copied there when it is posted, what
 * arrived, from there when its completion is polled; peers cannot reach it. Memory of {@code allocate} is never copied.
 *
 * <p>One thread of the process reads the sockets of all its devices; it waits for nobody, and takes no QP's lock.
 * Callers of commands wait for the router's answer, within a time limit.
 * Internal: what is public here is for the other packages of the software RNIC alone.
 */
package org.jvrpc.softrnic.router;
