package org.acme;

import java.util.List;

public record Order(long id, String symbol, Side side, int quantity, double price, List<Leg> legs) {
}
