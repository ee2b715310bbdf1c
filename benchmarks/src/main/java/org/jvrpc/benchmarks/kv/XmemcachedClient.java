package org.jvrpc.benchmarks.kv;

import java.io.IOException;
import java.nio.ByteBuffer;
import net.rubyeye.xmemcached.MemcachedClient;
import net.rubyeye.xmemcached.XMemcachedClient;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Workload;

/** Gets by xmemcached as it is by default. */
public final class XmemcachedClient implements ClientEnd {

    private MemcachedClient client;

    @Override
    public void connect(String address, int index) throws Exception {
        client = new XMemcachedClient("127.0.0.1", Integer.parseInt(address));
        for (int i = 0; i < KvData.KEYS; i++) {
            if (!client.set(KvData.name(i), 0, KvData.value(i))) {
                throw new IOException("key " + i + " is not stored");
            }
        }
    }

    private int get(int key, ByteBuffer into) throws Exception {
        byte[] value = client.get(KvData.name(key));
        into.put(value);
        return value.length;
    }

    @Override
    public Operation operation(Workload workload) {
        return new KvGet(this::get);
    }

    @Override
    public void close() throws IOException {
        client.shutdown();
    }
}
