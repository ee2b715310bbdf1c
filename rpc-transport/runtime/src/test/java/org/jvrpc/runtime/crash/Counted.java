package org.jvrpc.runtime.crash;

import org.jvrpc.api.OneWay;
import org.jvrpc.api.RpcService;

/** Calls whose every run is counted. Numbers are given once. */
@RpcService
public interface Counted {

    /** Bodies of this length go by memory of their own. */
    int LONG = 300_000;

    long light(long number);

    /** Returns bytes of the number, as many as came. */
    byte[] bytes(long number, byte[] bytes);

    @OneWay
    void tell(long number);

    /** The stores of the thread that runs calls count from here on. */
    void begin();

    /** They do not count any more. */
    void end();
}
