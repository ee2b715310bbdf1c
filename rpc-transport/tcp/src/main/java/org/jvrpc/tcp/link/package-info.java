/** One session's side of a byte stream: what is sent and taken, and memory for it. */
package org.jvrpc.tcp.link;
