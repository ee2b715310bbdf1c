package org.jvrpc.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

final class OrderBookTest {

    private final OrderBook book = new OrderBook(7);

    private static Order order(String symbol, Side side, int quantity) {
        return new Order(0, symbol, side, quantity, 12.5, List.of(new Leg(3, -1)));
    }

    @Test
    void anOrderIsFoundUnderTheNumberThatItGot() throws NoSuchOrderException {
        Order order = order("ACME", Side.BUY, 5);

        long id = book.place(order);

        assertEquals(order.withId(id), book.find(id));
    }

    @Test
    void theNumbersOfOneSymbolFollowOneAnother() {
        long first = book.place(order("ACME", Side.BUY, 1));
        book.place(order("OTHER", Side.BUY, 1));

        assertEquals(first + 1, book.place(order("ACME", Side.SELL, 1)));
    }

    @Test
    void aNumberThatNobodyGotIsNoSuchOrderWithThatNumber() {
        long id = book.place(order("ACME", Side.BUY, 1));

        assertEquals(id + 1, assertThrows(NoSuchOrderException.class, () -> book.find(id + 1)).id());
        assertEquals(id - 1, assertThrows(NoSuchOrderException.class, () -> book.find(id - 1)).id());
        assertThrows(NoSuchOrderException.class, () -> book.find(-1));
        assertThrows(NoSuchOrderException.class, () -> book.find(Long.MAX_VALUE));
    }

    @Test
    void theOldestOrderOfASymbolLeavesWhenTheRingIsFull() throws NoSuchOrderException {
        long first = book.place(order("ACME", Side.BUY, 1));
        for (int i = 1; i < SymbolBook.KEPT; i++) {
            book.place(order("ACME", Side.BUY, 1));
        }
        book.find(first);

        book.place(order("ACME", Side.BUY, 1));

        assertThrows(NoSuchOrderException.class, () -> book.find(first));
        book.find(first + 1);
    }

    @Test
    void theSymbolThatWasNotUsedTheLongestLeavesWhenThereAreTooMany() throws NoSuchOrderException {
        long first = book.place(order("S0", Side.BUY, 1));
        long second = book.place(order("S1", Side.BUY, 1));
        for (int i = 2; i < OrderBook.MAX_SYMBOLS; i++) {
            book.place(order("S" + i, Side.BUY, 1));
        }
        book.place(order("S0", Side.BUY, 1));

        book.place(order("ONE MORE", Side.BUY, 1));

        book.find(first);
        assertThrows(NoSuchOrderException.class, () -> book.find(second));
    }

    @Test
    void aSnapshotHasTheNewestOrdersFirst() {
        book.place(order("ACME", Side.BUY, 5));
        long id = book.place(order("ACME", Side.SELL, 6));

        byte[] snapshot = book.snapshot("ACME");

        assertEquals(2, Snapshot.size(snapshot));
        assertEquals(id, Snapshot.id(snapshot, 0));
        assertEquals(-6, Snapshot.signedQuantity(snapshot, 0));
        assertEquals(5, Snapshot.signedQuantity(snapshot, 1));
        assertEquals(12.5, Snapshot.price(snapshot, 1));
        assertArrayEquals(new byte[0], book.snapshot("NONE"));
    }

    @Test
    void aSnapshotHasNoMoreOrdersThanItsDepth() {
        for (int i = 0; i <= Snapshot.DEPTH; i++) {
            book.place(order("ACME", Side.BUY, 1));
        }

        assertEquals(Snapshot.DEPTH, Snapshot.size(book.snapshot("ACME")));
    }

    @Test
    void aReportSumsUpOrdersAndTicks() {
        book.place(order("ACME", Side.BUY, 5));
        book.place(order("ACME", Side.BUY, 6));
        book.place(order("ACME", Side.SELL, 1));
        book.tick(3, 1.0);
        book.tick(3, 2.0);

        assertEquals(new Report(7, 3, Map.of(Side.BUY, 11L, Side.SELL, 1L), 2, 2.0), book.report(new Query("ACME", 3)));
        assertEquals(new Report(7, 0, Map.of(), 0, Double.NaN), book.report(new Query("NONE", 4)));
    }

    @Test
    void anOrderThatIsNoneIsAnInvalidArgument() {
        for (Order bad : List.of(
                order("", Side.BUY, 1),
                order("X".repeat(OrderBook.MAX_SYMBOL_LENGTH + 1), Side.BUY, 1),
                order("ACME", Side.BUY, 0),
                new Order(0, "ACME", Side.BUY, 1, 1, Collections.nCopies(OrderBook.MAX_LEGS + 1, new Leg(1, 1))))) {
            assertEquals(Status.INVALID_ARGUMENT, assertThrows(RpcException.class, () -> book.place(bad)).status());
        }
        assertEquals(0, book.placed());
    }

    @Test
    void anOrderPlacedLaterIsPlaced() throws NoSuchOrderException {
        long id = book.placeLater(order("ACME", Side.BUY, 9)).join();

        assertEquals(9, book.find(id).quantity());
    }
}
