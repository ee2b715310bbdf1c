package org.jvrpc.watch.agent;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.jvrpc.watch.Clock;
import org.jvrpc.watch.ProbeTransport;

/**
 * Drives a {@link PingAgent} on a thread of its caller's, which sleeps while nothing is due. {@link #close} belongs to
 * any thread, the rest to the one that runs.
 */
public final class AgentLoop implements Runnable, AutoCloseable {

    private static final long LONGEST_NS = 200_000_000;

    private final PingAgent agent;
    private final ProbeTransport transport;
    private final Clock clock;
    private volatile boolean closed;

    /** Takes an agent and what it sends by, which stays its caller's. */
    public AgentLoop(PingAgent agent, ProbeTransport transport, Clock clock) {
        this.agent = agent;
        this.transport = transport;
        this.clock = clock;
    }

    /** Runs until it is closed. @throws org.jvrpc.verbs.VerbsException when the device is lost */
    @Override
    public void run() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        if (threads.isCurrentThreadCpuTimeSupported()) {
            agent.withCpu(threads::getCurrentThreadCpuTime);
        }
        while (!closed) {
            long waitNs = agent.advance(clock.nowNs()) - clock.nowNs();
            if (waitNs > 0) {
                transport.await(Math.min(waitNs, LONGEST_NS));
            }
        }
    }

    /** Has {@link #run} return within 0.2 s. */
    @Override
    public void close() {
        closed = true;
    }
}
