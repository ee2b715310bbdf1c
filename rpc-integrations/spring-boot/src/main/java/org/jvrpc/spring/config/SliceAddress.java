package org.jvrpc.spring.config;

/**
 * The one address of a context in which servers and clients are tested together: all services are served there, and all
 * clients call there, whatever the properties say of addresses.
 *
 * @param address of a scheme of this host
 */
public record SliceAddress(String address) {
}
