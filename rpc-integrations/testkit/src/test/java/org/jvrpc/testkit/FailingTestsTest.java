package org.jvrpc.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.testkit.fault.Faults;
import org.jvrpc.testkit.script.Script;

/** Tests that are to fail, and do, with what they say. */
class FailingTestsTest {

    private static final String INNER = "jvrpc.testkit.inner";
    private static final List<RpcClient> FORGOTTEN = new ArrayList<>();

    /** The tests below run when they are asked for, and not with all others. */
    static final class OnlyWhenAsked implements ExecutionCondition {

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return context.getConfigurationParameter(INNER).isPresent() ? ConditionEvaluationResult.enabled("asked")
                    : ConditionEvaluationResult.disabled("run by " + FailingTestsTest.class.getName());
        }
    }

    /** Expects nothing. */
    @ExtendWith(OnlyWhenAsked.class)
    @WithJvrpc(scripting = Orders.class)
    static class UnexpectedCall {

        @Test
        void callsWhatIsNotScripted(Orders orders, Script<Orders> script) {
            script.when(o -> o.note(1)).answer("one");
            try {
                orders.note(2);
            } catch (RpcException e) {
                assertEquals(Status.FAILED_PRECONDITION, e.status());
            }
        }

        @Test
        void goesRight(Orders orders, Script<Orders> script) {
            script.when(o -> o.note(1)).answer("one");
            orders.note(1);
        }
    }

    /** Forgets a client. */
    @ExtendWith(OnlyWhenAsked.class)
    static class ForgottenClient {

        @RegisterExtension
        private final JvrpcExtension rpc = JvrpcExtension.serving(new OrdersInMemory());

        @Test
        void forgetsAClient() {
            FORGOTTEN.add(RpcClient.connect(rpc.address()));
        }
    }

    /** Meets faults. */
    @ExtendWith(OnlyWhenAsked.class)
    @WithJvrpc(serving = OrdersInMemory.class, seed = 77)
    static class Faulty {

        @Test
        void meetsAFault(Orders orders, Faults faults) {
            faults.on("note").probability(0.5).status(Status.UNAVAILABLE, "by chance");
            for (int i = 0; i < 100; i++) {
                orders.note(i);
            }
        }
    }

    /** Has nothing to serve. */
    @ExtendWith(OnlyWhenAsked.class)
    @WithJvrpc(serving = String.class)
    static class NothingServed {

        @Test
        void neverRuns() {
            throw new AssertionError("it runs");
        }
    }

    private static String run(Class<?> tests, int failed) {
        List<Event> all = EngineTestKit.engine("junit-jupiter").configurationParameter(INNER, "true")
                .selectors(selectClass(tests)).execute().allEvents().failed().list();
        StringWriter text = new StringWriter();
        for (Event event : all) {
            TestExecutionResult result = event.getRequiredPayload(TestExecutionResult.class);
            result.getThrowable().ifPresent(thrown -> thrown.printStackTrace(new PrintWriter(text)));
        }
        assertEquals(failed, all.size(), text::toString);
        return text.toString();
    }

    private static void assertTold(String told, String... expected) {
        for (String each : expected) {
            assertTrue(told.contains(each), each + " is not in\n" + told);
        }
    }

    @Test
    void anUnexpectedCallFailsTheTestWithMethodAndArguments() {
        assertTold(run(UnexpectedCall.class, 1),
                "calls that the test did not expect: " + Orders.class.getName() + "/note(2)");
    }

    @Test
    void aClientThatIsNotClosedFailsTheTest() {
        assertTold(run(ForgottenClient.class, 1), "left open at inproc://testkit-",
                "sessions=1 of clients that were not closed");
        FORGOTTEN.forEach(RpcClient::close);
    }

    @Test
    void aFailureTellsTheSeedOfItsFaults() {
        String told = run(Faulty.class, 1);
        assertTold(told, "by chance", "faults befell calls=1 by seed=77: run again with -Djvrpc.testkit.seed=77");
        System.setProperty(JvrpcExtension.SEED, "78");
        try {
            assertTold(run(Faulty.class, 1), "by seed=78");
        } finally {
            System.clearProperty(JvrpcExtension.SEED);
        }
        assertFalse(run(UnexpectedCall.class, 1).contains("seed="));
    }

    @Test
    void aClassThatIsNoServiceIsTold() {
        assertTold(run(NothingServed.class, 1), "java.lang.String implements no service");
    }
}
