package org.jvrpc.runtime.contract.old;

import org.jvrpc.api.RpcService;

/** As it was. */
@RpcService(name = "ledger")
public interface Ledger {

    long balance(long account);

    void book(long account, long amount);

    String owner(long account);
}
