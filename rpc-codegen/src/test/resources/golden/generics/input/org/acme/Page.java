package org.acme;

import java.util.List;

public record Page<T>(int number, List<T> items, T first) {
}
