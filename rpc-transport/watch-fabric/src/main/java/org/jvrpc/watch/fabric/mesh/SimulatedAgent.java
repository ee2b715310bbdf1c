package org.jvrpc.watch.fabric.mesh;

import org.jvrpc.fabric.event.EventQueue;
import org.jvrpc.fabric.event.EventTarget;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Clock;
import org.jvrpc.watch.Registry;
import org.jvrpc.watch.agent.AgentSettings;
import org.jvrpc.watch.agent.PingAgent;
import org.jvrpc.watch.probe.ProbeKeys;
import org.jvrpc.watch.probe.ProbeLayout;
import org.jvrpc.watch.report.ReportSink;

/**
 * An agent as it runs on hosts, {@link PingAgent}, at a host of the fabric: what it does takes no time but that of its
 * NIC. One thread.
 */
public final class SimulatedAgent implements EventTarget {

    private final SimulatedProbes probes;
    private final EventQueue events;
    private final AgentInfo info;
    private PingAgent agent;
    private long standsUntilNs;
    private long scheduledNs = Long.MAX_VALUE;
    private long schedule;
    private boolean dead;

    /** Makes one, which the registry may have from now on. @param id that it has there */
    public SimulatedAgent(SimulatedProbes probes, int id, String name, String rack, String pod) {
        this.probes = probes;
        this.events = probes.nic().network().events();
        this.info = new AgentInfo(id, name, rack, pod, probes.address(), ProbeLayout.VERSION, id + 1L << 32 | id);
    }

    /** Returns its entry in the registry. */
    public AgentInfo info() {
        return info;
    }

    /** Begins to probe, and to answer. */
    public void start(AgentSettings settings, ProbeKeys keys, Registry registry, ReportSink sink, long seed) {
        Clock clock = new Clock() {
            @Override
            public long nowNs() {
                return events.nowNs();
            }

            @Override
            public long wallMs() {
                return events.nowNs() / 1_000_000;
            }
        };
        agent = new PingAgent(info, settings, keys, probes, registry, clock, sink, seed);
        probes.onEvent(() -> at(events.nowNs()));
        at(events.nowNs());
    }

    /** Returns the agent, once it has started: for what else goes into its reports. */
    public PingAgent agent() {
        return agent;
    }

    /** The process stands until then: it sends nothing, and sees later what came. */
    public void stand(long untilNs) {
        standsUntilNs = untilNs;
    }

    /** The process ends, while the NIC goes on. */
    public void die() {
        dead = true;
    }

    private void at(long ns) {
        long when = Math.max(ns, standsUntilNs);
        if (when < scheduledNs && !dead) {
            scheduledNs = when;
            events.schedule(when, this, 0, null, ++schedule);
        }
    }

    @Override
    public void happen(int kind, Object subject, long argument) {
        if (argument != schedule || dead) {
            return; // there is an earlier one
        }
        scheduledNs = Long.MAX_VALUE;
        if (events.nowNs() < standsUntilNs) {
            at(standsUntilNs);
        } else {
            at(agent.advance(events.nowNs()));
        }
    }
}
