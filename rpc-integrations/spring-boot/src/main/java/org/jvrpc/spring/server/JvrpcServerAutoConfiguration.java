package org.jvrpc.spring.server;

import org.jvrpc.api.ServerInterceptor;
import org.jvrpc.api.auth.AuditLog;
import org.jvrpc.api.auth.Authorizer;
import org.jvrpc.api.auth.TokenVerifier;
import org.jvrpc.runtime.Admission;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.spring.JvrpcServerCustomizer;
import org.jvrpc.spring.config.CallTracing;
import org.jvrpc.spring.config.JvrpcProperties;
import org.jvrpc.spring.config.Listener;
import org.jvrpc.spring.config.ServerProperties;
import org.jvrpc.spring.config.SliceAddress;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnThreading;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * The servers of a context. Interceptors that are beans stand around the calls of all of them, in their order; beans of
 * the types {@link Authorizer}, {@link TokenVerifier}, {@link Admission} and {@link AuditLog}, of which there is one at
 * most, are asked by all of them.
 */
@AutoConfiguration
@ConditionalOnProperty(prefix = "jvrpc.server", name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(JvrpcProperties.class)
@ImportRuntimeHints(HeavyThreads.Hints.class)
public final class JvrpcServerAutoConfiguration {

    /** Has heavy methods run on virtual threads, where the application asks for them and the JDK has them. */
    @Bean
    @ConditionalOnThreading(Threading.VIRTUAL)
    HeavyThreads jvrpcHeavyThreads() {
        return new HeavyThreads();
    }

    @Bean
    Readiness jvrpcReadiness(JvrpcProperties properties) {
        return new Readiness(properties.server().followReadiness());
    }

    /** Makes the servers, which start with the context. */
    @Bean
    ServerLifecycle jvrpcServers(
            JvrpcProperties properties,
            ListableBeanFactory factory,
            Readiness readiness,
            ObjectProvider<HeavyThreads> heavy,
            ObjectProvider<SliceAddress> slice) {
        ServerProperties server = properties.server();
        HeavyThreads threads = heavy.getIfAvailable();
        ServerBuilders.Common common = new ServerBuilders.Common(
                factory.getBeanProvider(CallTracing.class).getIfAvailable(),
                factory.getBeanProvider(ServerInterceptor.class).orderedStream().toList(),
                factory.getBeanProvider(JvrpcServerCustomizer.class).orderedStream().toList(),
                threads == null ? null : threads.executor(),
                builder -> guard(builder, factory));
        ServerBuilders builders = new ServerBuilders(server, Listener.of(server, slice.getIfAvailable()), common);
        return new ServerLifecycle(builders, factory, server.shutdownTimeout(), readiness);
    }

    private static void guard(RpcServer.Builder builder, ListableBeanFactory factory) {
        factory.getBeanProvider(Authorizer.class).ifUnique(builder::authorizer);
        factory.getBeanProvider(TokenVerifier.class).ifUnique(builder::tokens);
        factory.getBeanProvider(Admission.class).ifUnique(builder::admission);
        factory.getBeanProvider(AuditLog.class).ifUnique(builder::audit);
    }
}
