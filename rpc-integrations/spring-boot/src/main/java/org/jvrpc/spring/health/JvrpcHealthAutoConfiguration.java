package org.jvrpc.spring.health;

import org.jvrpc.spring.JvrpcServers;
import org.jvrpc.spring.client.ClientRegistry;
import org.jvrpc.spring.client.JvrpcClientAutoConfiguration;
import org.jvrpc.spring.server.JvrpcServerAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Health of servers ({@code jvrpcServers}) and clients ({@code jvrpcClients}), where there is the actuator. */
@AutoConfiguration(after = {JvrpcServerAutoConfiguration.class, JvrpcClientAutoConfiguration.class})
@ConditionalOnClass(name = {
    "org.springframework.boot.health.contributor.HealthIndicator",
    "org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator"})
public final class JvrpcHealthAutoConfiguration {

    /** Looked at only where the classes of its condition are there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnEnabledHealthIndicator("jvrpc")
    static class Indicators {

        @Bean
        @ConditionalOnBean(JvrpcServers.class)
        @ConditionalOnMissingBean(name = "jvrpcServersHealthIndicator")
        HealthIndicator jvrpcServersHealthIndicator(JvrpcServers servers) {
            return new ServerHealthIndicator(servers);
        }

        @Bean
        @ConditionalOnBean(ClientRegistry.class)
        @ConditionalOnMissingBean(name = "jvrpcClientsHealthIndicator")
        HealthIndicator jvrpcClientsHealthIndicator(ClientRegistry clients) {
            return new ClientHealthIndicator(clients);
        }
    }
}
