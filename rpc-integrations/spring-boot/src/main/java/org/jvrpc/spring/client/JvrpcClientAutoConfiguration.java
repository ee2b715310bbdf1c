package org.jvrpc.spring.client;

import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.spring.JvrpcClientCustomizer;
import org.jvrpc.spring.StubDefinitions;
import org.jvrpc.spring.config.CallTracing;
import org.jvrpc.spring.config.JvrpcProperties;
import org.jvrpc.spring.config.SliceAddress;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** The clients of a context. Interceptors that are beans stand around the calls of all of them, in their order. */
@AutoConfiguration
@EnableConfigurationProperties(JvrpcProperties.class)
public final class JvrpcClientAutoConfiguration {

    /** Makes the clients, none of which connects yet. */
    @Bean(StubDefinitions.CLIENTS)
    ClientRegistry jvrpcClients(
            JvrpcProperties properties,
            ObjectProvider<CallTracing> tracing,
            ObjectProvider<ClientInterceptor> interceptors,
            ObjectProvider<JvrpcClientCustomizer> customizers,
            ObjectProvider<SliceAddress> slice) {
        return new ClientRegistry(properties.clients(), new ClientRegistry.Common(
                tracing.getIfAvailable(),
                interceptors.orderedStream().toList(),
                customizers.orderedStream().toList(),
                slice.getIfAvailable()));
    }
}
