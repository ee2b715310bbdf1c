package org.jvrpc.testkit;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.ReflectionSupport;

/** A {@link JvrpcExtension} for each class, or each test, of what {@link WithJvrpc} says. */
final class WithJvrpcExtension implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback,
        ParameterResolver, TestExecutionExceptionHandler {

    private static final ExtensionContext.Namespace STORE =
            ExtensionContext.Namespace.create(WithJvrpcExtension.class);

    WithJvrpcExtension() {
    }

    private static WithJvrpc asked(ExtensionContext context) {
        Class<?> test = context.getRequiredTestClass();
        for (Class<?> each = test; each != null; each = each.getEnclosingClass()) {
            WithJvrpc found = AnnotationSupport.findAnnotation(each, WithJvrpc.class).orElse(null);
            if (found != null) {
                return found;
            }
        }
        throw new ExtensionConfigurationException(test.getName() + " has no @WithJvrpc");
    }

    private static JvrpcExtension make(WithJvrpc asked) {
        JvrpcExtension.Builder builder = JvrpcExtension.builder().over(asked.over()).seed(asked.seed());
        for (Class<?> each : asked.serving()) {
            builder.serve(ReflectionSupport.newInstance(each));
        }
        for (Class<?> each : asked.scripting()) {
            builder.script(each);
        }
        return builder.build();
    }

    /** A nested class, and a test of a class with one server, find what is there. */
    private static JvrpcExtension of(ExtensionContext context) {
        return context.getStore(STORE).get(JvrpcExtension.class, JvrpcExtension.class);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        WithJvrpc asked = asked(context);
        if (asked.perClass()) {
            if (of(context) == null) {
                context.getStore(STORE).put(JvrpcExtension.class, make(asked));
            }
            of(context).beforeAll(context);
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        WithJvrpc asked = asked(context);
        if (!asked.perClass()) {
            context.getStore(STORE).put(JvrpcExtension.class, make(asked));
        }
        of(context).beforeEach(context);
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        of(context).handleTestExecutionException(context, thrown);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (of(context) != null) {
            of(context).afterEach(context);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (of(context) != null) {
            of(context).afterAll(context);
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        JvrpcExtension rpc = of(context);
        return rpc != null && rpc.supportsParameter(parameter, context);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return of(context).resolveParameter(parameter, context);
    }
}
