package org.jvrpc.spring.test.shop;

import org.springframework.stereotype.Component;

/** Not for slices. */
@Component
public class Warehouse {
}
