package org.jvrpc.tools.router.ctl;

import java.io.IOException;
import java.util.List;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.control.Codec;
import org.jvrpc.router.control.ControlStore;
import org.jvrpc.router.control.Edits;
import org.jvrpc.router.map.Rule;
import org.jvrpc.tools.router.ctl.verb.CtlVerb;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code jvrpc router ctl policy}. */
@Command(name = "policy", description = {"Prints the rules, or changes them. The first one that fits counts; where none"
        + " does, a tenant reaches itself alone. Connections that a change forbids end."})
final class PolicyCommand extends CtlVerb {

    private static final int MOST_PORT = 65_535;

    @ArgGroup(multiplicity = "0..1")
    private What what;

    /** One of them. */
    static final class What {

        @Option(names = "--allow", description = "Add a rule that allows.")
        private boolean allow;
        @Option(names = "--deny", description = "Add a rule that forbids.")
        private boolean deny;
        @Option(names = "--remove", paramLabel = "PLACE", description = "Remove the rule at a place, from 0.")
        private Integer remove;
    }

    @Option(names = "--from", paramLabel = "TENANT", description = "Who connects; by default anybody.")
    private String from;

    @Option(names = "--to", paramLabel = "TENANT", description = "Who listens; by default anybody.")
    private String to;

    @Option(names = "--ports", paramLabel = "FIRST-LAST", defaultValue = "1-65535",
            description = "By default ${DEFAULT-VALUE}.")
    private String ports;

    @Option(names = "--place", paramLabel = "N", defaultValue = "-1",
            description = "Before the rule that is there, from 0; by default behind all.")
    private int place;

    @Override
    protected int run(ControlStore store) throws IOException, InterruptedException {
        List<Rule> rules = store.read().rules();
        if (what != null && what.remove != null) {
            if (what.remove < 0 || what.remove >= rules.size()) {
                throw new IllegalArgumentException("place=" + what.remove + " rules=" + rules.size());
            }
            Rule gone = rules.get(what.remove);
            rules = store.change("remove rule " + Codec.json(gone), Edits.removeRule(what.remove, gone)).rules();
        } else if (what != null) {
            Rule rule = rule();
            rules = store.change("rule " + Codec.json(rule), Edits.addRule(rule, place)).rules();
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < rules.size(); i++) {
            Rule rule = rules.get(i);
            text.append(i).append(rule.allow() ? " allow " : " deny ").append(name(rule.from())).append(" to ")
                    .append(name(rule.to())).append(" ports ").append(rule.firstPort()).append('-')
                    .append(rule.lastPort()).append('\n');
        }
        say(text + "else each tenant reaches itself alone", Codec.json(rules));
        return 0;
    }

    private static String name(TenantId tenant) {
        return tenant == null ? "anybody" : tenant.name();
    }

    private Rule rule() {
        String[] ends = ports.split("-", 2);
        int first = port(ends[0]);
        int last = port(ends[ends.length - 1]);
        if (first > last) {
            throw new IllegalArgumentException("ports=" + ports + ": the first is after the last");
        }
        return new Rule(from == null ? null : new TenantId(from), to == null ? null : new TenantId(to), first, last,
                what.allow);
    }

    private int port(String text) {
        int port;
        try {
            port = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("ports=" + ports + " is not FIRST-LAST", e);
        }
        if (port < 1 || port > MOST_PORT) {
            throw new IllegalArgumentException("ports=" + ports + ", range 1 to " + MOST_PORT);
        }
        return port;
    }
}
