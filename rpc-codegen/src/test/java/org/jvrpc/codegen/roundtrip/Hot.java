package org.jvrpc.codegen.roundtrip;

import java.nio.ByteBuffer;
import java.util.List;
import org.jvrpc.api.InPlace;
import org.jvrpc.api.Into;
import org.jvrpc.api.OneWay;
import org.jvrpc.api.RpcService;

/** What must cost no garbage. */
@RpcService
public interface Hot {

    long add(int a, long b, double c, boolean d, char e);

    int readInto(long seed, @Into ByteBuffer into);

    long sum(@InPlace ByteBuffer bytes);

    @OneWay
    void tick(int ordinal, double price);

    int checked(int value) throws RefusedException;

    void place(Order order);

    enum Side { BUY, SELL }

    record Order(long id, String symbol, Side side, List<Leg> legs, Long parent) {
    }

    record Leg(long instrument, int ratio) {
    }

    /** Never thrown here. */
    class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;
    }
}
