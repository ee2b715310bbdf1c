package org.jvrpc.tcp.change;

import org.jvrpc.runtime.contract.change.ChangeContract;

class TcpChangeTest extends ChangeContract {

    @Override
    public String newAddress() {
        return "tcp://127.0.0.1:0";
    }
}
