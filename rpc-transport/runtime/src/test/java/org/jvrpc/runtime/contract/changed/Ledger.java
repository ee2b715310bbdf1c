package org.jvrpc.runtime.contract.changed;

import org.jvrpc.api.RpcService;

/** As it became: one method changed, one gone, one new. */
@RpcService(name = "ledger")
public interface Ledger {

    long balance(long account);

    void book(long account, double amount);

    void close(long account);
}
