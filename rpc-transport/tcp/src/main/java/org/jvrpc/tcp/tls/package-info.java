/**
 * TLS by the JDK: keys and certificates from files, who is trusted, and the wire that bytes go through. Knows no
 * address and no session.
 */
package org.jvrpc.tcp.tls;
