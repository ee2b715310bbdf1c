package org.jvrpc.softrnic.memory;

import java.util.function.IntUnaryOperator;

/** As {@link SharedKeys}, of keys that are known by other numbers. One thread. */
final class AliasedKeys extends SharedKeys {

    private final IntUnaryOperator keyOf;

    AliasedKeys(AddressSpace space, int pd, IntUnaryOperator keyOf) {
        super(space, pd);
        this.keyOf = keyOf;
    }

    @Override
    public Slab find(int key, long address, long bytes, int access) {
        return super.find(keyOf.applyAsInt(key), address, bytes, access);
    }

    @Override
    public Region region(int key, int access) {
        return super.region(keyOf.applyAsInt(key), access);
    }
}
