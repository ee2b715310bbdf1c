package org.jvrpc.benchmarks.kv;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ExecutionException;
import net.spy.memcached.DefaultConnectionFactory;
import net.spy.memcached.MemcachedClient;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Workload;

/** Gets by spymemcached as it is by default; byte arrays pass its transcoder as they are. */
public final class SpyClient implements ClientEnd {

    private MemcachedClient client;

    @Override
    public void connect(String address, int index) throws IOException, InterruptedException, ExecutionException {
        System.setProperty("net.spy.log.LoggerImpl", "net.spy.memcached.compat.log.SLF4JLogger");
        client = new MemcachedClient(new DefaultConnectionFactory(),
                List.of(new InetSocketAddress("127.0.0.1", Integer.parseInt(address))));
        for (int i = 0; i < KvData.KEYS; i++) {
            if (!client.set(KvData.name(i), 0, KvData.value(i)).get()) {
                throw new IOException("key " + i + " is not stored");
            }
        }
    }

    private int get(int key, ByteBuffer into) {
        byte[] value = (byte[]) client.get(KvData.name(key));
        into.put(value);
        return value.length;
    }

    @Override
    public Operation operation(Workload workload) {
        return new KvGet(this::get);
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
