package org.jvrpc.tools.selftest;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs the contract suites of {@code jvrpc-verbs} by JUnit, on a device. */
final class ContractRun {

    private static final int MOST_NAMED = 5;
    /** JUnit makes the suites, hence a property. */
    private static final String ADDRESS = "jvrpc.selftest.address";
    private static final int FIRST_PORT = 22_000;
    private static final AtomicInteger USED = new AtomicInteger();

    private ContractRun() {
    }

    /** Returns the address under test. */
    static String address() {
        return System.getProperty(ADDRESS);
    }

    /** Returns the address of another listener of the same host and device. */
    static String anotherAddress() {
        return another(address(), USED.incrementAndGet());
    }

    static String another(String address, int number) {
        return address.startsWith("rdma://")
                ? address.replaceFirst(":\\d+($|\\?)", ":" + (FIRST_PORT + number) + "$1")
                : address + "-" + ProcessHandle.current().pid() + "-" + number;
    }

    /** Runs them. @return how many tests passed; throws {@link StepFailedException} with names when some failed */
    static String run(String address) {
        System.setProperty(ADDRESS, address);
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(List.of(selectClass(
                        address.startsWith("rdma://") ? ContractOnRdma.class : ContractOnSoftware.class)))
                .configurationParameter("junit.jupiter.execution.timeout.default", "120 s")
                .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        Launcher launcher = LauncherFactory.create();
        PrintStream out = System.out;
        System.setOut(System.err); // tests print their seeds, which nobody wants in the result
        try {
            launcher.execute(request, listener);
        } finally {
            System.setOut(out);
        }
        return judge(listener.getSummary());
    }

    private static String judge(TestExecutionSummary summary) {
        String counts = summary.getTestsSucceededCount() + " tests of the contract suites passed, "
                + (summary.getTestsAbortedCount() + summary.getTestsSkippedCount()) + " skipped for what the device"
                + " has not";
        if (!summary.getFailures().isEmpty()) {
            StringBuilder text = new StringBuilder(counts + ", " + summary.getFailures().size() + " failed:");
            for (TestExecutionSummary.Failure failure
                    : summary.getFailures().subList(0, Math.min(MOST_NAMED, summary.getFailures().size()))) {
                text.append(" [").append(failure.getTestIdentifier().getDisplayName()).append(": ")
                        .append(firstLine(failure.getException())).append("]");
            }
            throw new StepFailedException(text.toString());
        }
        if (summary.getTestsSucceededCount() == 0) {
            throw new StepFailedException("no test of the contract suites ran");
        }
        return counts;
    }

    private static String firstLine(Throwable failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse(failure.getClass().getSimpleName());
    }
}
