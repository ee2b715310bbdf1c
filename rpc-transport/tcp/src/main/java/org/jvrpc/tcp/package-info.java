/**
 * Sessions over byte streams: {@code tcp://}, {@code tls://}, {@code unix://}. Owns addresses, sockets and the hello by
 * which a session begins ({@code Greeting}); must never know calls, frames or streams. Users need nothing of it but the
 * addresses. Threads: a server's control thread admits whoever connects ({@code Doorway}); a link is one thread's at a
 * time. Units: lengths in bytes, times in nanoseconds.
 */
package org.jvrpc.tcp;
