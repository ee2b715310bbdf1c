package org.jvrpc.benchmarks.router.row;

import java.util.List;
import org.jvrpc.benchmarks.Session;
import org.jvrpc.benchmarks.router.Users;

/** The parts of {@code bench router}, each of which can be run alone. */
public final class RouterRows {

    /** Their names, in the order in which they are run. */
    public static final List<String> NAMES = List.of("null-rpc", "write", "hosts", "rates", "fairness", "victim",
            "tenants");

    private final Session session;

    /** Prepares. */
    public RouterRows(Session session) {
        this.session = session;
    }

    /** Measures, notes figures and prints tables. @param names of parts, each of {@link #NAMES} */
    public void run(List<String> names) throws Exception {
        session.out().println("processors: " + Runtime.getRuntime().availableProcessors() + "; "
                + Users.find().describe());
        for (String name : names) {
            switch (name) {
                case "null-rpc" -> new CallRow(session).run();
                case "write" -> new WriteRow(session).run();
                case "hosts" -> new HostsRow(session).run();
                case "rates" -> new ShareRows(session).rates();
                case "fairness" -> new ShareRows(session).fairness();
                case "victim" -> new VictimRow(session).run();
                case "tenants" -> new CrowdRow(session).run();
                default -> throw new IllegalArgumentException("row=" + name);
            }
        }
    }
}
