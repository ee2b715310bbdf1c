package org.jvrpc.router.map;

/**
 * A router as the control plane knows it.
 *
 * @param control host:port where other routers reach it
 * @param data address of its device below, for instance {@code roce://10.78.0.1:4800}
 * @param certificateSha256 of the certificate that it proves itself by
 * @param incarnation random, drawn at its start
 * @param draining it takes no new devices
 * @param version of the protocol between routers
 */
public record RouterRecord(String host, String control, String data, byte[] certificateSha256, long incarnation,
        boolean draining, int version) { }
