package org.jvrpc.ibverbs;

import java.io.File;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A test that needs an RDMA device; skipped, with the reason, where there is none. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("device")
@ExtendWith(NeedsRdmaDevice.Condition.class)
public @interface NeedsRdmaDevice {

    /** How many devices of rxe it needs, whose addresses are 10.9.0.1 and up; 0 for any device. */
    int rxe() default 2;

    /** Looks for devices. */
    final class Condition implements ExecutionCondition {

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            int wanted = context.getTestClass()
                    .map(type -> {
                        NeedsRdmaDevice needs = type.getAnnotation(NeedsRdmaDevice.class);
                        Class<?> outer = type.getEnclosingClass();
                        return needs != null || outer == null ? needs : outer.getAnnotation(NeedsRdmaDevice.class);
                    })
                    .map(NeedsRdmaDevice::rxe)
                    .orElse(0);
            String[] devices = new File("/sys/class/infiniband").list();
            if (devices == null || devices.length == 0) {
                return ConditionEvaluationResult.disabled("this machine has no RDMA device: /sys/class/infiniband is"
                        + " missing or empty; mvn -Prdma-vm verify runs this test in a virtual machine that has");
            }
            for (int i = 0; i < wanted; i++) {
                if (!new File("/sys/class/infiniband/rxe" + i + "/parent").exists()) {
                    return ConditionEvaluationResult.disabled("this machine has no device rxe" + i
                            + " at 10.9.0." + (i + 1) + ": run by .ci/rdma-vm");
                }
            }
            return ConditionEvaluationResult.enabled("devices=" + devices.length);
        }
    }
}
