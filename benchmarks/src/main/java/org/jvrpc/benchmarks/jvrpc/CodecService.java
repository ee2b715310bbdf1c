package org.jvrpc.benchmarks.jvrpc;

import java.util.List;
import org.jvrpc.api.RpcService;

/** What the codec benchmark encodes and decodes: arguments only, the results are empty. */
@RpcService
public interface CodecService {

    /** Takes a record. */
    void take(BenchOrder order);

    /** Takes a list of records. */
    void takeAll(List<BenchOrder> orders);
}
