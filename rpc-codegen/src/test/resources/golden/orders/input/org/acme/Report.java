package org.acme;

import java.util.Map;

public record Report(long orders, double volume, Map<String, Long> bySymbol) {
}
