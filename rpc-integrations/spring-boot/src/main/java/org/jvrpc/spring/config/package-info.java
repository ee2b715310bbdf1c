/** The properties {@code jvrpc.*}, and what they do to builders. Knows neither beans nor lifecycles. One thread. */
package org.jvrpc.spring.config;
