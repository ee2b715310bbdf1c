package org.jvrpc.spring.test.shop;

import org.jvrpc.spring.JvrpcService;
import org.jvrpc.spring.orders.Slow;

@JvrpcService
public class ShopSlow implements Slow {
    @Override
    public String work(String what) {
        return what + " by " + Thread.currentThread();
    }
}
