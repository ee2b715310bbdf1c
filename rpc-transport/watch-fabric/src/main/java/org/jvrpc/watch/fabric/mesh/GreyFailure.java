package org.jvrpc.watch.fabric.mesh;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jvrpc.fabric.event.Chance;
import org.jvrpc.fabric.event.EventQueue;
import org.jvrpc.fabric.event.EventTarget;
import org.jvrpc.fabric.network.Port;
import org.jvrpc.fabric.network.Switch;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.watch.Cause;
import org.jvrpc.watch.Component;
import org.jvrpc.watch.Component.Kind;

/** Failures that nobody is told of. Where they are is drawn; what is to be said of them follows. */
public enum GreyFailure {

    /** A switch drops all frames over 1 KB. */
    SWITCH_DROPS_LONG("a switch drops frames over 1 KB") {
        @Override
        Planted plant(SimulatedMesh mesh, Chance chance) {
            Switch at = anySwitch(mesh, chance);
            ports(at).forEach(port -> port.faults().loses((frame, number) -> frame.bytes() > LONG));
            return planted(Cause.SIZE_DROPS, mesh.traced().at(at));
        }
    },

    /** A link damages 2 % of the packets one way, behind the FCS's back. */
    LINK_CORRUPTS("a link corrupts 2 % of the packets, one way") {
        @Override
        Planted plant(SimulatedMesh mesh, Chance chance) {
            Port at = anyLink(mesh, chance);
            at.faults().damages(0.02, true);
            return planted(Cause.CORRUPTION, mesh.traced().link(at));
        }
    },

    /** A host's process stands now and then, for a fiftieth of a window each time. */
    HOST_PAUSES("a host's process stands, three times a window for a fiftieth of it") {
        @Override
        Planted plant(SimulatedMesh mesh, Chance chance) {
            int host = chance.below(mesh.settings().hosts());
            SimulatedAgent program = mesh.program(host);
            long everyNs = mesh.settings().windowNs() / 3;
            long standsNs = mesh.settings().windowNs() / 50;
            every(mesh, everyNs, () -> program.stand(mesh.topology().network().nowNs() + standsNs));
            return planted(Cause.HOST_STALL, new Component(Kind.HOST, "H" + host));
        }
    },

    /** A switch drops 1 % of all. */
    SWITCH_DROPS("a switch drops 1 % of all") {
        @Override
        Planted plant(SimulatedMesh mesh, Chance chance) {
            Switch at = anySwitch(mesh, chance);
            ports(at).forEach(port -> port.faults().loses(0.01));
            return planted(Cause.DROPS, mesh.traced().at(at));
        }
    },

    /** A link drops 2 % one way. */
    LINK_DROPS_ONE_WAY("a link drops 2 %, one way") {
        @Override
        Planted plant(SimulatedMesh mesh, Chance chance) {
            Port at = anyLink(mesh, chance);
            at.faults().loses(0.02);
            return planted(Cause.DROPS, mesh.traced().link(at));
        }
    },

    /** An uplink swallows an eighth of the 5-tuples. */
    BLACK_HOLE("a link swallows an eighth of the flows, one way") {
        @Override
        Planted plant(SimulatedMesh mesh, Chance chance) {
            Port at = anyLink(mesh, chance);
            long salt = chance.bits();
            at.faults().loses((frame, number) -> (Chance.mix(salt ^ (long) frame.source() << 40
                    ^ (long) frame.destination() << 20 ^ frame.sourcePort()) & 7) == 0);
            return planted(Cause.BLACKHOLE, mesh.traced().link(at));
        }
    },

    /** A NIC's receive pipeline stands, and it pauses its switch without end. */
    PAUSE_STORM("a NIC's receive pipeline stands, and it pauses its switch without end") {
        @Override
        Planted plant(SimulatedMesh mesh, Chance chance) {
            int host = chance.below(mesh.settings().hosts());
            mesh.topology().host(host).breakPipeline();
            return planted(Cause.PAUSE_STORM, new Component(Kind.HOST, "H" + host));
        }
    },

    /** A receiver is slower than what it is sent: its NIC pauses its switch, again and again, 80 % of the time. */
    SLOW_RECEIVER("a slow receiver: its NIC pauses its switch 200 of each 250 us") {
        @Override
        Planted plant(SimulatedMesh mesh, Chance chance) {
            int host = chance.below(mesh.settings().hosts());
            Port port = mesh.topology().host(host).port();
            EventQueue events = mesh.topology().network().events();
            EventTarget ends = (kind, subject, argument) -> port.resume(LOSSLESS);
            every(mesh, PAUSE_EVERY_NS, () -> {
                port.pause(LOSSLESS);
                events.schedule(events.nowNs() + PAUSE_NS, ends, 0, null, 0);
            });
            return planted(Cause.SLOW_RECEIVER, new Component(Kind.HOST, "H" + host));
        }
    },

    /** A host dies. */
    HOST_DOWN("a host dies") {
        @Override
        Planted plant(SimulatedMesh mesh, Chance chance) {
            int host = chance.below(mesh.settings().hosts());
            mesh.topology().host(host).kill();
            mesh.program(host).die();
            return planted(Cause.DOWN, new Component(Kind.HOST, "H" + host));
        }
    },

    /** A ToR dies: none of its hosts is reached, nor can report. */
    TOR_DOWN("a ToR forwards nothing any more; its hosts cannot report") {
        @Override
        Planted plant(SimulatedMesh mesh, Chance chance) {
            int index = chance.below(mesh.topology().tors().size());
            Switch tor = mesh.topology().tors().get(index);
            ports(tor).forEach(port -> port.faults().loses(1));
            int perTor = mesh.settings().hostsPerTor();
            for (int host = index * perTor; host < (index + 1) * perTor; host++) {
                mesh.cutOff(host);
            }
            return planted(Cause.DOWN, mesh.traced().at(tor));
        }
    },

    /** A cable has a tenth of its rate, both ways. */
    SLOW_LINK("a cable has a tenth of its rate, both ways") {
        @Override
        Planted plant(SimulatedMesh mesh, Chance chance) {
            Port at = anyLink(mesh, chance);
            long slow = at.bitsPerSecond() / 10;
            at.rate(slow);
            at.peer().rate(slow);
            Component there = mesh.traced().link(at);
            Component back = mesh.traced().link(at.peer());
            String a = mesh.topology().name(at.device());
            String b = mesh.topology().name(at.peer().device());
            Component cable = new Component(Kind.LINK, a.compareTo(b) < 0 ? a + "<>" + b : b + "<>" + a);
            return planted(Cause.SLOW_LINK, cable, there, back);
        }
    },

    /** A switch drops a fifth of one service level. */
    SWITCH_DROPS_CLASS("a switch drops a fifth of one service level") {
        @Override
        Planted plant(SimulatedMesh mesh, Chance chance) {
            Switch at = anySwitch(mesh, chance);
            Chance fate = chance.fork(1);
            ports(at).forEach(port -> port.faults()
                    .loses((frame, number) -> frame.serviceLevel() == LOSSLESS && fate.test(0.2)));
            return planted(Cause.CLASS_DROPS, mesh.traced().at(at));
        }
    };

    /**
     * Where a failure is, and what is to be said.
     *
     * @param names of the part; a cable that is bad both ways may bear the name of either way
     */
    public record Planted(Set<Component> names, Cause cause) { }

    private static final int LONG = 1100;
    /** The service level that PFC guards here. */
    static final int LOSSLESS = 3;
    private static final long PAUSE_EVERY_NS = 250_000;
    private static final long PAUSE_NS = 200_000;

    private final String about;

    GreyFailure(String about) {
        this.about = about;
    }

    /** Returns what it is, in a line. */
    public String about() {
        return about;
    }

    abstract Planted plant(SimulatedMesh mesh, Chance chance);

    private static Planted planted(Cause cause, Component... names) {
        return new Planted(Set.of(names), cause);
    }

    private static Switch anySwitch(SimulatedMesh mesh, Chance chance) {
        List<Switch> all = mesh.topology().switches();
        return all.get(chance.below(all.size()));
    }

    /** Draws a link between switches: a host's link and the host look alike to round trips. */
    private static Port anyLink(SimulatedMesh mesh, Chance chance) {
        Topology topology = mesh.topology();
        List<Port> links = new ArrayList<>();
        for (Switch each : topology.switches()) {
            ports(each).stream().filter(port -> !port.peer().device().isHost()).forEach(links::add);
        }
        return links.get(chance.below(links.size()));
    }

    private static List<Port> ports(Switch at) {
        List<Port> ports = new ArrayList<>();
        for (int i = 0; i < at.ports(); i++) {
            ports.add(at.port(i));
        }
        return ports;
    }

    private static void every(SimulatedMesh mesh, long everyNs, Runnable what) {
        EventQueue events = mesh.topology().network().events();
        EventTarget again = new EventTarget() {
            @Override
            public void happen(int kind, Object subject, long argument) {
                what.run();
                events.schedule(events.nowNs() + everyNs, this, 0, null, 0);
            }
        };
        events.schedule(events.nowNs() + everyNs / 2, again, 0, null, 0);
    }
}
