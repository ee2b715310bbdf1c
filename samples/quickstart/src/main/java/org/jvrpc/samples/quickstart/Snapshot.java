package org.jvrpc.samples.quickstart;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * The bytes of {@link Orders#snapshot}: one entry for each order, the newest first, big-endian.
 * <pre>
 *  byte  0        8        12               20
 *        | id     | signed | price          |
 *        |        | quantity (sells below 0)
 * </pre>
 */
final class Snapshot {

    /** The most orders in a snapshot. */
    static final int DEPTH = 64;

    private static final int ID = 0;
    private static final int QUANTITY = ID + Long.BYTES;
    private static final int PRICE = QUANTITY + Integer.BYTES;
    private static final int ENTRY_BYTES = PRICE + Double.BYTES;

    private Snapshot() {
    }

    static byte[] encode(List<Order> orders) {
        ByteBuffer bytes = ByteBuffer.allocate(orders.size() * ENTRY_BYTES);
        int at = 0;
        for (Order order : orders) {
            bytes.putLong(at + ID, order.id());
            bytes.putInt(at + QUANTITY, order.side() == Side.BUY ? order.quantity() : -order.quantity());
            bytes.putDouble(at + PRICE, order.price());
            at += ENTRY_BYTES;
        }
        return bytes.array();
    }

    /** Returns the number of entries. @throws IllegalArgumentException when the last one is not whole */
    static int size(byte[] snapshot) {
        if (snapshot.length % ENTRY_BYTES != 0) {
            throw new IllegalArgumentException("a snapshot has entries of " + ENTRY_BYTES + " bytes, length="
                    + snapshot.length);
        }
        return snapshot.length / ENTRY_BYTES;
    }

    static long id(byte[] snapshot, int index) {
        return ByteBuffer.wrap(snapshot).getLong(index * ENTRY_BYTES + ID);
    }

    static int signedQuantity(byte[] snapshot, int index) {
        return ByteBuffer.wrap(snapshot).getInt(index * ENTRY_BYTES + QUANTITY);
    }

    static double price(byte[] snapshot, int index) {
        return ByteBuffer.wrap(snapshot).getDouble(index * ENTRY_BYTES + PRICE);
    }
}
