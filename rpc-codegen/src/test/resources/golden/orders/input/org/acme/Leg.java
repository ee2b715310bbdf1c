package org.acme;

public record Leg(long instrument, int ratio) {
}
