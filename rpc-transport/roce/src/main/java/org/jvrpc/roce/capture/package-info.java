/**
 * Packets in files of captures, as Wireshark and tcpdump read and write them, and the headers of Ethernet, IP and UDP
 * around them. Pure: bytes in, bytes out.
 */
package org.jvrpc.roce.capture;
