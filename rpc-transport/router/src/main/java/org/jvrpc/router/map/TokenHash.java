package org.jvrpc.router.map;

/**
 * A token as it is stored.
 *
 * @param id by which people name it
 * @param sha256 of the salt and the token: 32 random bytes, so no slow hash is needed
 * @param notAfterMs of the wall clock, milliseconds since 1970
 */
public record TokenHash(String id, byte[] salt, byte[] sha256, long notAfterMs) { }
