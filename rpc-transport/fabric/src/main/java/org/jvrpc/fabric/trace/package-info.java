/** What others may look at of a run: {@code Pcap} writes its frames. */
package org.jvrpc.fabric.trace;
