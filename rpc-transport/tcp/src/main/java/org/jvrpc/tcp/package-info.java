/**
 * Sessions over byte streams: {@code tcp://}, {@code tls://}, {@code unix://}. Users need nothing of it but the
 * addresses.
 */
package org.jvrpc.tcp;
