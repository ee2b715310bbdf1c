package org.jvrpc.tools;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jvrpc.tools.host.Area;
import org.jvrpc.tools.host.Finding;
import org.jvrpc.tools.selftest.Outcome;
import org.jvrpc.tools.selftest.SelfTest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code jvrpc doctor}: the checks, or the self-test. */
@Command(name = "doctor",
        description = {"Says what this host can do, and why not: one line for each check, with cause and cure.",
            "Exit code 0 when shm:// works, and with --rdma rdma://, too; with --self-test when nothing failed;"
                + " 1 otherwise; 2 for wrong arguments."})
final class DoctorCommand implements Callable<Integer> {

    @Option(names = "--rdma", description = "Real RDMA has to work, too.")
    private boolean rdma;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Option(names = "--self-test", paramLabel = "ADDRESS",
            description = {"Prove the device of an address: rdma://host[:port][?device=NAME], or shm://name.",
                "Verbs with data checked, connections, waiting, a ping-pong beside ib_send_lat, an if of RedN, and the"
                    + " contract suites."})
    private String selfTest;

    @Option(names = "--no-contract", description = "Leave the contract suites out of the self-test.")
    private boolean noContract;

    @Spec
    private CommandSpec spec;

    private final Doctor given;

    DoctorCommand() {
        this(null);
    }

    /** Prints what somebody else found; null to look at this host. */
    DoctorCommand(Doctor given) {
        this.given = given;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        int code = selfTest == null ? examine(out) : prove(out);
        out.flush();
        return code;
    }

    private int examine(PrintWriter out) {
        Doctor doctor = given == null ? Doctor.examine() : given;
        boolean shm = doctor.works(Area.SHM);
        boolean real = doctor.works(Area.RDMA);
        boolean roce = doctor.works(Area.ROCE);
        if (json) {
            out.println(Json.of(doctor));
        } else {
            doctor.findings().forEach(finding -> out.println(line(finding)));
            out.println();
            out.println(word(Area.SHM, shm) + ", " + word(Area.RDMA, real) + ", " + word(Area.ROCE, roce)
                    + " on this host.");
        }
        return shm && (real || !rdma) ? 0 : 1;
    }

    private static String word(Area area, boolean works) {
        return area.scheme() + (works ? " works" : " does not work");
    }

    static String line(Finding finding) {
        return String.format("%-4s  %-24s  %s%s", finding.mark().word(), finding.check(), finding.text(),
                finding.cure().isEmpty() ? "" : ". Cure: " + finding.cure());
    }

    private int prove(PrintWriter out) {
        if (!selfTest.contains("://")) {
            throw new ParameterException(spec.commandLine(), "--self-test takes an address, for instance"
                    + " rdma://10.9.0.1, not '" + selfTest + "'");
        }
        List<Outcome> outcomes = new ArrayList<>();
        boolean ok;
        try {
            ok = SelfTest.run(selfTest, !noContract, outcome -> {
                outcomes.add(outcome);
                if (!json) {
                    out.printf("%-10s  %-12s  %s%n", outcome.kind().word(), outcome.step(), outcome.text());
                    out.flush();
                }
            });
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        if (json) {
            out.println(Json.of(selfTest, ok, outcomes));
        } else {
            long open = outcomes.stream().filter(outcome -> outcome.kind() == Outcome.Kind.NOT_PROVEN).count();
            out.println();
            out.println((ok ? "Nothing failed" : "FAILED") + "; " + open + " of " + outcomes.size()
                    + " steps not proven here.");
        }
        return ok ? 0 : 1;
    }
}
