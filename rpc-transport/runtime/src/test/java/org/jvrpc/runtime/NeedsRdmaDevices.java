package org.jvrpc.runtime;

import java.io.File;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A test that needs rxe0 at 10.9.0.1 and rxe1 at 10.9.0.2; skipped, with the reason, where they are not. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("device")
@ExtendWith(NeedsRdmaDevices.Condition.class)
public @interface NeedsRdmaDevices {

    /** Looks for them. */
    final class Condition implements ExecutionCondition {

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            for (String device : new String[] {"rxe0", "rxe1"}) {
                if (!new File("/sys/class/infiniband/" + device).exists()) {
                    return ConditionEvaluationResult.disabled("this machine has no RDMA device " + device
                            + "; mvn -Prdma-vm verify runs this test in a virtual machine that has");
                }
            }
            return ConditionEvaluationResult.enabled("rxe0 and rxe1 are there");
        }
    }
}
