package org.jvrpc.tools.watch.pingmesh;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Registry;
import org.jvrpc.watch.agent.verbs.FlowPorts;
import org.jvrpc.watch.registry.Registries;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code jvrpc pingmesh trace}. */
@Command(name = "trace",
        description = {"Prints a script that is run by sh on an agent's host: it traces the ways of that agent's flows"
                + " to all others, and prints them in lines for 'jvrpc pingmesh collector --paths'. What all hosts"
                + " print makes that file.",
            "",
            "Lines of the file; what follows a # does not count:",
            "  path FROM TO FLOW HOP...    the switches from ToR to ToR; FROM and TO are agents, or racks as rack:NAME,"
                + " or rack:POD/NAME where two pods have racks of that name; FLOW is a number, or * for all; a HOP that"
                + " does not answer is *, but a ToR needs a name.",
            "  switch NAME ADDRESS...      under which addresses a switch answers; without it each address is a switch"
                + " of its own. A switch answers by the address at which a packet came in, so it has several.",
            "  agent NAME INCARNATION      ways from and to it hold until it is started anew.",
            "A line of racks is right only where one way leads from one to the other, or where switches hash ports"
                + " alone.",
            "",
            "Exit code 0 when the script is printed; 2 for wrong arguments; 3 when the registry cannot be read."})
final class TraceCommand implements Callable<Integer> {

    private static final int MOST_FLOWS = 64;
    private static final int MOST_PORT = 0xffff;
    private static final long WAIT_NS = 5_000_000_000L;
    private static final long LOOK_MS = 20;
    private static final String WAY = """
            way() { # to, flow, source port, host
                hops=$(traceroute -n -q 1 -w 1 -m 12 -U --sport="$3" -p %d "$4" | awk '
                    NR == 1 { gsub(/[(),]/, "", $4); host = $4; next }
                    $2 != host { hops = hops " " $2 }
                    END { sub(/( [*])+$/, "", hops); print hops }')
                if [ -n "$hops" ]; then
                    printf '%%s\\n' "path $from $1 $2$hops"
                else
                    printf '%%s\\n' "# no switch answered from $from to $1 by flow $2"
                fi
            }
            """;

    @Option(names = "--registry", required = true, paramLabel = "WHERE",
            description = "What the agents have: a folder, a file, or zk://host:port[,host:port]/path.")
    private String registry;

    @Option(names = "--from", required = true, paramLabel = "NAME", description = "The agent whose flows are traced.")
    private String from;

    @Option(names = "--flows", defaultValue = "4",
            description = "As the agents have it, 2 to 64; by default ${DEFAULT-VALUE}.")
    private int flows;

    @Option(names = "--ports", split = ",", paramLabel = "PORT",
            description = "UDP source ports of its flows, in order; by default those of cards, which follow from flow"
                + " labels. On rdma_rxe and roce:// they are others at each start, and a capture shows them.")
    private List<Integer> ports;

    @Option(names = "--port", defaultValue = "4791",
            description = "UDP port that agents receive at; by default ${DEFAULT-VALUE}, RoCEv2's.")
    private int port;

    @Option(names = "--suffix", defaultValue = "", paramLabel = "TEXT",
            description = "What makes of an agent's name that of its device's address, for instance -rdma.example.net;"
                + " by default nothing.")
    private String suffix;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        try {
            check();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        try (Registry agents = Registries.open(registry, null)) {
            List<AgentInfo> known = known(agents);
            AgentInfo self = known.stream().filter(agent -> agent.name().equals(from)).findFirst().orElse(null);
            if (self == null) {
                throw new IllegalArgumentException("--from=" + from + ": no such agent in " + registry + ", which has "
                        + known.size() + (agents.trouble() == null ? "" : "; " + agents.trouble()));
            }
            print(self, known, spec.commandLine().getOut());
            return 0;
        } catch (IOException e) {
            spec.commandLine().getErr().println("could not be read: " + e.getMessage());
            return 3;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private void check() {
        if (ports == null) {
            expect(flows >= 2 && flows <= MOST_FLOWS, "--flows=" + flows + ": 2 to " + MOST_FLOWS
                    + "; an agent with one flow has any port, which --ports tells");
            ports = new ArrayList<>();
            for (int flow = 0; flow < flows; flow++) {
                ports.add(FlowPorts.ofCard(flow));
            }
        } else {
            expect(ports.size() <= MOST_FLOWS, "--ports: " + ports.size() + " are more than " + MOST_FLOWS);
        }
        ports.forEach(each -> expect(each > 0 && each <= MOST_PORT, "--ports: " + each + " is no port"));
        expect(port > 0 && port <= MOST_PORT, "--port=" + port + " is no port");
        expect(suffix.matches("[0-9A-Za-z_.:-]*"), "--suffix=" + suffix + ": letters, digits and _.:- are wanted");
    }

    private static void expect(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** Returns the agents, once there are some: ZooKeeper's come a little later. */
    private static List<AgentInfo> known(Registry agents) {
        long beganNs = System.nanoTime();
        while (agents.agents().isEmpty() && System.nanoTime() - beganNs < WAIT_NS) {
            try {
                Thread.sleep(LOOK_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        return agents.agents();
    }

    private void print(AgentInfo self, List<AgentInfo> known, PrintWriter out) {
        out.println("# " + (known.size() - 1) + " agents by " + ports.size() + " flows");
        out.println("from=" + quoted(self.name()));
        out.printf(WAY, port);
        if (spec.commandLine().getParseResult().hasMatchedOption("--ports")) { // which another start changes
            out.println("printf '%s\\n' \"agent $from " + Long.toHexString(self.incarnation()) + "\"");
        }
        for (AgentInfo to : known) {
            for (int flow = 0; flow < ports.size() && to.id() != self.id(); flow++) {
                out.println("way " + quoted(to.name()) + " " + flow + " " + ports.get(flow) + " "
                        + quoted(to.name() + suffix));
            }
        }
        out.flush();
    }

    /** Names are others' words: for sh they are one word, whatever is in them. */
    private static String quoted(String name) {
        return "'" + name.replace("'", "'\\''") + "'";
    }
}
