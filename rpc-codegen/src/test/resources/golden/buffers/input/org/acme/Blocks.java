package org.acme;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jvrpc.api.InPlace;
import org.jvrpc.api.Into;
import org.jvrpc.api.OneWay;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;

@RpcService
public interface Blocks {

    void read(long block, @Into ByteBuffer into);

    @RpcMethod(heavy = true)
    int readSome(@Into ByteBuffer into, long block) throws IOException;

    long write(long block, @InPlace ByteBuffer bytes);

    @OneWay
    void prefetch(@InPlace ByteBuffer blocks);

    int copy(@InPlace ByteBuffer from, @Into ByteBuffer into);
}
