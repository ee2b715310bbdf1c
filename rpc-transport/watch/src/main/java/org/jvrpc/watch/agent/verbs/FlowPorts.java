package org.jvrpc.watch.agent.verbs;

/**
 * UDP source ports of flows, by which a traceroute takes their ways. Those of cards follow from flow labels; rdma_rxe
 * and {@code roce://} have others at each start.
 */
public final class FlowPorts {

    private static final int LOW = 0x3fff;
    private static final int HIGH = 0xfc000;
    private static final int FIRST = 0xc000;

    private FlowPorts() {
    }

    /** Returns the port of a flow of an agent that has several, on a card. Source: ibv_flow_label_to_udp_sport(3). */
    public static int ofCard(int flow) {
        int label = VerbsProbes.label(flow);
        return (label & LOW ^ (label & HIGH) >>> 14) | FIRST;
    }
}
