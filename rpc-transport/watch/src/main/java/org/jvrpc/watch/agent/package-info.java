/**
 * An agent of pingmesh: probes others, answers them, and reports what it met. {@link
 * org.jvrpc.watch.agent.PingAgent} is a machine that is driven from outside, on a thread by {@link
 * org.jvrpc.watch.agent.AgentLoop} or in a simulated fabric; one thread. Times are nanoseconds.
 *
 * <p>It knows neither where its packets travel, nor who keeps the registry, nor who takes its reports.
 */
package org.jvrpc.watch.agent;
