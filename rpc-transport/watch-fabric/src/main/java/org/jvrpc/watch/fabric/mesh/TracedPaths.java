package org.jvrpc.watch.fabric.mesh;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.fabric.network.Device;
import org.jvrpc.fabric.network.Port;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.watch.Component;
import org.jvrpc.watch.Component.Kind;
import org.jvrpc.watch.PathMap;

/** What a traceroute tells in the fabric: the tables and hashes of its switches, never what is wrong with them. */
final class TracedPaths implements PathMap {

    private static final int FIRST_PORT = 0xc000;
    private static final int PORTS = 0x3fff;

    private final Topology topology;
    private final Component[] links;
    private final Component[] switches;

    TracedPaths(Topology topology) {
        this.topology = topology;
        links = new Component[topology.network().ports().size()];
        switches = new Component[topology.hosts().size() + topology.switches().size()];
    }

    /** Returns the UDP port of a flow. */
    static int sourcePort(int flow) {
        return FIRST_PORT | flow & PORTS;
    }

    @Override
    public List<Component> path(int fromAgent, int toAgent, int flow) {
        List<Port> ports = topology.path(fromAgent, toAgent, sourcePort(flow));
        List<Component> path = new ArrayList<>(ports.size() * 2);
        for (Port port : ports) {
            path.add(link(port));
            Device next = port.peer().device();
            if (!next.isHost()) {
                path.add(at(next));
            }
        }
        return path;
    }

    Component link(Port port) {
        if (links[port.number()] == null) {
            links[port.number()] = new Component(Kind.LINK,
                    topology.name(port.device()) + '>' + topology.name(port.peer().device()));
        }
        return links[port.number()];
    }

    Component at(Device device) {
        if (switches[device.mac()] == null) {
            Kind kind = device.isHost() ? Kind.HOST : topology.tier(device) == 1 ? Kind.TOR : Kind.SWITCH;
            switches[device.mac()] = new Component(kind, topology.name(device));
        }
        return switches[device.mac()];
    }
}
