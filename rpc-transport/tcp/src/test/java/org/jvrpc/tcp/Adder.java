package org.jvrpc.tcp;

import org.jvrpc.api.RpcService;

/** A service for tests that look at bytes. */
@RpcService
public interface Adder {

    int add(int one, int other);
}
