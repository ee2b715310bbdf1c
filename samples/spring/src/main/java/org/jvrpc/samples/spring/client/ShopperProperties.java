package org.jvrpc.samples.spring.client;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code shopper}.
 *
 * @param time how long it calls
 */
@ConfigurationProperties("shopper")
public record ShopperProperties(@DefaultValue("10s") Duration time) {
}
