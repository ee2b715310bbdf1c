/**
 * TLS by the JDK: keys and certificates from files, who is trusted, and the wire that bytes go through. Must never know
 * addresses or sessions. A wire is one thread's at a time, but that other threads compute a server's hand-shakes; keys
 * are any's. Units: lengths in bytes.
 */
package org.jvrpc.tcp.tls;
