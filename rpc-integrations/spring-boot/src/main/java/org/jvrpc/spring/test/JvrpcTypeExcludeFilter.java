package org.jvrpc.spring.test;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.ServerInterceptor;
import org.jvrpc.api.auth.AuditLog;
import org.jvrpc.api.auth.Authorizer;
import org.jvrpc.api.auth.TokenVerifier;
import org.jvrpc.runtime.Admission;
import org.jvrpc.spring.JvrpcClientCustomizer;
import org.jvrpc.spring.JvrpcServerCustomizer;
import org.jvrpc.spring.JvrpcService;
import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;

/** Leaves out components that {@link JvrpcTest} does not name. */
final class JvrpcTypeExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<JvrpcTest> {

    private static final Set<Class<?>> BESIDE = Set.of(ClientInterceptor.class, ServerInterceptor.class,
            JvrpcClientCustomizer.class, JvrpcServerCustomizer.class, Authorizer.class, TokenVerifier.class,
            Admission.class, AuditLog.class);

    private final Set<Class<?>> services;

    JvrpcTypeExcludeFilter(Class<?> testClass) {
        super(testClass);
        services = Set.of(getAnnotation().getClassArray("services"));
    }

    @Override
    protected Set<Class<?>> getKnownIncludes() {
        Set<Class<?>> known = new LinkedHashSet<>(BESIDE);
        if (services.isEmpty()) {
            known.add(JvrpcService.class);
        }
        return known;
    }

    @Override
    protected Set<Class<?>> getComponentIncludes() {
        return services;
    }
}
