package org.jvrpc.watch;

/**
 * An agent as the registry knows it.
 *
 * @param id of its own among all agents
 * @param address of its {@link ProbeTransport}
 * @param version of its probes
 * @param incarnation random, drawn at its start
 */
public record AgentInfo(int id, String name, String rack, String pod, byte[] address, int version, long incarnation) { }
