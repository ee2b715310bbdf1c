package org.acme;

public record Query(String symbol, long from, long to) {
}
