package org.jvrpc.samples.zookeeper.own;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The JVM of one test class: runs it, says the outcome in its last line, and ends whatever threads are left. */
final class OneClass implements TestExecutionListener {

    static final String RESULT = "RESULT ";
    /** The property with the tests that are left out, separated by commas. */
    static final String LEFT_OUT = "own.leftOut";

    private final PrintStream out = System.out;
    private final List<String> failed = new ArrayList<>();
    private int passed;
    private int skipped;

    private OneClass() {
    }

    /** @param args the class */
    public static void main(String[] args) {
        OneClass listener = new OneClass();
        List<String> leftOut = List.of(System.getProperty(LEFT_OUT, "").split(","));
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request().selectors(selectClass(args[0]))
                .filters((PostDiscoveryFilter) test -> FilterResult.includedIf(
                        !leftOut.contains(test.getSource().map(OneClass::method).orElse("none"))))
                // what ours go by: these leave servers and clients behind, each class has a process to itself
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "false")
                .build();
        LauncherFactory.create().execute(request, listener);
        listener.out.println(RESULT + listener.passed + " " + listener.skipped + " " + listener.failed.size() + " "
                + String.join(", ", listener.failed));
        listener.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static String method(TestSource source) {
        return source instanceof MethodSource method ? method.getMethodName() : "";
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        skipped++;
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        switch (result.getStatus()) {
            case SUCCESSFUL -> passed += test.isTest() ? 1 : 0;
            case ABORTED -> skipped++;
            default -> {
                String name = test.getSource().map(OneClass::method).orElse("") + " " + test.getDisplayName();
                failed.add(name.trim());
                out.println("FAILED " + name);
                result.getThrowable().ifPresent(cause -> cause.printStackTrace(out));
            }
        }
    }
}
