package org.jvrpc.ibverbs.card;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jvrpc.ibverbs.binding.LibIbverbs;
import org.jvrpc.testing.Waits;

/** {@link ModelVerbs} in one function of which a thread stands, and which notes what comes after the device's end. */
final class HaltedVerbs {

    private static final String CLOSE = "ibv_close_device";

    final ModelCard card = new ModelCard();
    final ModelVerbs model = new ModelVerbs(card);
    final LibIbverbs lib = (LibIbverbs) Proxy.newProxyInstance(
            LibIbverbs.class.getClassLoader(), new Class<?>[] {LibIbverbs.class}, this::call);
    private final List<String> late = new ArrayList<>();
    private final List<String> left = new ArrayList<>();
    private final CountDownLatch halted = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private volatile String where = "";
    private int closes;

    private Object call(Object proxy, Method function, Object[] arguments) throws Throwable {
        if (function.getName().equals(where)) {
            where = "";
            halted.countDown();
            if (!goOn.await(Waits.limitNs(), TimeUnit.NANOSECONDS)) {
                throw new AssertionError("nobody lets " + function.getName() + " go on");
            }
        }
        note(function.getName());
        try {
            return function.invoke(model, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private synchronized void note(String function) {
        if (function.equals(CLOSE)) {
            closes++;
            left.addAll(List.of("QPs " + card.qps.size(), "SRQs " + card.srqs.size(), "CQs " + card.cqs.size()));
            left.removeIf(kind -> kind.endsWith(" 0"));
        } else if (closes > 0) {
            late.add(function);
        }
    }

    /** Halts the next call of a function, until {@link #goOn}. */
    void haltIn(String function) {
        where = function;
    }

    void awaitHalted() {
        Waits.until("a call of " + where, () -> halted.getCount() == 0);
    }

    void goOn() {
        goOn.countDown();
    }

    synchronized boolean isClosed() {
        return closes > 0;
    }

    synchronized int closes() {
        return closes;
    }

    synchronized List<String> late() {
        return List.copyOf(late);
    }

    /** Returns what was there when the device was closed, by kinds. */
    synchronized List<String> left() {
        return List.copyOf(left);
    }
}
