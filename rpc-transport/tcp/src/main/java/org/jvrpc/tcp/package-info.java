/** Sessions over byte streams: {@code tcp://host:port}. Users need nothing of it but the addresses. */
package org.jvrpc.tcp;
