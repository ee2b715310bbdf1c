package org.jvrpc.samples.kv.rpc;

import org.jvrpc.samples.kv.store.StoreMode;
import org.jvrpc.testing.history.Register;

/** By {@link KvClient}. */
final class RpcDoor extends Door {

    final KvClient client;

    RpcDoor(KvClient client) {
        this.client = client;
    }

    @Override
    Object get(String key) {
        byte[] value = client.get(bytes(key));
        return value == null ? Register.ABSENT : found(key, value, client.version());
    }

    @Override
    Object set(String key, long number) {
        return answer(client.set(bytes(key), value(number), 0, 0).name());
    }

    @Override
    Object add(String key, long number) {
        return store(StoreMode.ADD, key, number, 0);
    }

    @Override
    Object swap(String key, long version, long number) {
        return store(StoreMode.CAS, key, number, version);
    }

    private Object store(StoreMode mode, String key, long number, long version) {
        return answer(client.service().store(mode, bytes(key), value(number), 0, 0, version).result().name());
    }

    @Override
    Object delete(String key) {
        return answer(client.service().delete(bytes(key), 0).name());
    }

    @Override
    public void close() {
        client.close();
    }
}
