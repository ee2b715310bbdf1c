package org.jvrpc.samples.kv.rpc;

/**
 * Layout of the answer of {@link KvService#fetch}. Little-endian.
 *
 * <pre>
 *  0 address of the item:64 | 8 version:64 | 16 length of the item:32 | 20 flags:32
 * 24 expiry:32 | 28 length of the value:32 | 32 value
 * </pre>
 */
final class FetchLayout {

    /** There is no item. */
    static final int NOT_FOUND = 0;

    static final int ADDRESS = 0;
    static final int VERSION = 8;
    static final int ITEM_LENGTH = 16;
    static final int FLAGS = 20;
    static final int EXPIRY = 24;
    static final int VALUE_LENGTH = 28;
    static final int VALUE = 32;

    private FetchLayout() {
    }
}
