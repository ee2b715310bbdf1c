package org.jvrpc.samples.spring.server;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.samples.spring.orders.Order;
import org.jvrpc.samples.spring.orders.Orders;
import org.jvrpc.samples.spring.orders.RefusedException;
import org.jvrpc.spring.JvrpcService;

/** Keeps the last million of orders in memory. A component, which the starter serves. */
@JvrpcService
class OrdersBean implements Orders {

    private static final int KEPT = 1_000_000;
    private final List<Order> orders = new ArrayList<>();
    private long first = 1;

    @Override
    public synchronized long place(Order order) throws RefusedException {
        if (order.pieces() < 1) {
            throw new RefusedException("an order needs pieces, pieces=" + order.pieces());
        }
        if (orders.size() == KEPT) {
            orders.clear();
            first += KEPT;
        }
        orders.add(order);
        return first + orders.size() - 1;
    }

    @Override
    public synchronized Order find(long id) {
        long index = id - first;
        if (index < 0 || index >= orders.size()) {
            throw new RpcException(Status.NOT_FOUND, "no order has id=" + id);
        }
        return orders.get((int) index);
    }

    @Override
    public synchronized long ordered(String what) {
        return orders.stream().filter(order -> order.what().equals(what)).mapToLong(Order::pieces).sum();
    }
}
