package org.jvrpc.runtime.offload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.offload.table.MethodPublished;
import org.jvrpc.runtime.BookQuotes;
import org.jvrpc.runtime.OffloadSettings;
import org.jvrpc.runtime.contract.Bytes;
import org.jvrpc.runtime.contract.Quotes;
import org.jvrpc.runtime.contract.QuotesService;

/** What is published of a method, and what is said of a publication that cannot be. */
class MethodPublisherTest {

    private static final int ANSWER_BYTES = 4096;
    private static final Quotes.Query QUERY = new Quotes.Query("venue", 3);
    private static final List<Quotes.Quote> BOOK = List.of(new Quotes.Quote(1, 2, "3"));

    private OffloadRig rig = new OffloadRig();

    @AfterEach
    void close() {
        rig.close();
    }

    private MethodPublisher<Quotes> offer(String method) {
        return rig.offer(method, new OffloadSettings().capacity(8).answerBytes(ANSWER_BYTES));
    }

    /** Returns a stub whose calls ask the program alone: an ordinary call is refused. */
    private Quotes program(MethodPublisher<Quotes> published, MethodDescriptor method) {
        OffloadedCall call = new OffloadedCall(rig.lookups(published, method, ANSWER_BYTES));
        call.join();
        rig.ordinary.refusal = new RpcException(Status.NOT_FOUND, "not published");
        return rig.stub(call);
    }

    private static void isNotPublished(org.junit.jupiter.api.function.Executable call) {
        assertEquals("not published", assertThrows(RpcException.class, call).getMessage());
    }

    /** Throws whatever it is, declared or not. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable, T> T sneak(Throwable thrown) throws E {
        throw (E) thrown;
    }

    @Test
    void theAnswerOfTheImplementationIsPublished() {
        MethodPublisher<Quotes> document = offer("document");
        Quotes stub = program(document, QuotesService.DOCUMENT);
        assertEquals(MethodPublished.PUBLISHED, document.publish(q -> q.document("abc")));
        assertEquals(1, rig.quotes.asked());
        assertArrayEquals(Bytes.of(300, 3), stub.document("abc"));
        assertEquals(1, document.size());
        assertEquals(MethodPublished.PUBLISHED, document.publish(q -> q.document("ab")));
        assertArrayEquals(Bytes.of(200, 2), stub.document("ab"));
        assertArrayEquals(Bytes.of(300, 3), stub.document("abc"));
        assertEquals(2, document.size());
        document.clear();
        assertEquals(0, document.size());
        isNotPublished(() -> stub.document("ab"));
    }

    @Test
    void aGivenResultIsPublishedInItsPlace() {
        MethodPublisher<Quotes> name = offer("name");
        Quotes stub = program(name, QuotesService.NAME);
        String longer = "x".repeat(1500);
        assertEquals(MethodPublished.PUBLISHED, name.publish(q -> q.name("a"), "first"));
        assertEquals("first", stub.name("a"));
        assertEquals(MethodPublished.PUBLISHED, name.publish(q -> q.name("a"), longer));
        assertEquals(longer, stub.name("a"));
        assertEquals(MethodPublished.PUBLISHED, name.publish(q -> q.name("a"), null));
        assertNull(stub.name("a"));
        assertEquals(1, name.size());
        assertEquals(0, rig.quotes.asked());
        assertEquals(MethodPublished.TOO_LONG, name.publish(q -> q.name("a"), "x".repeat(2 * ANSWER_BYTES)));
        isNotPublished(() -> stub.name("a"));
    }

    @Test
    void longArgumentsAreThoseOfTheirAnswer() {
        MethodPublisher<Quotes> name = offer("name");
        Quotes stub = program(name, QuotesService.NAME);
        String one = "x".repeat(2000) + "1";
        String other = "x".repeat(2000) + "2";
        name.publish(q -> q.name(one), "one");
        name.publish(q -> q.name(other), "other");
        name.publish(q -> q.name("x"), "short");
        assertEquals("one", stub.name(one));
        assertEquals("other", stub.name(other));
        assertEquals("short", stub.name("x"));
    }

    @Test
    void whatIsRemovedIsNotPublished() {
        MethodPublisher<Quotes> last = offer("last(long)");
        Quotes stub = program(last, QuotesService.LAST_LONG);
        last.publish(q -> q.last(1), 11L);
        last.publish(q -> q.last(2), 22L);
        assertTrue(last.remove(q -> q.last(1)));
        assertFalse(last.remove(q -> q.last(1)));
        assertEquals(1, last.size());
        isNotPublished(() -> stub.last(1));
        assertEquals(22, stub.last(2));
    }

    @Test
    void aDeclaredExceptionIsAnAnswerAndTheNextAnswerIsNone() throws Quotes.Unknown {
        MethodPublisher<Quotes> quote = offer("quote");
        Quotes stub = program(quote, QuotesService.QUOTE);
        for (int i = 0; i < 2; i++) {
            assertEquals(MethodPublished.PUBLISHED, quote.publish(q -> q.quote(-7)));
            assertEquals(MethodPublished.PUBLISHED, quote.publish(q -> q.quote(8)));
            assertEquals("instrument=-7", assertThrows(Quotes.Unknown.class, () -> stub.quote(-7)).getMessage());
            assertEquals("venue of 8", stub.quote(8).venue());
        }
    }

    @Test
    void whatTheImplementationThrowsUndeclaredIsThrownAndNothingIsPublishedThen() {
        rig.close();
        Throwable[] thrown = new Throwable[1];
        rig = new OffloadRig(new BookQuotes(query -> thrown[0] == null ? BOOK : sneak(thrown[0])));
        MethodPublisher<Quotes> book = offer("book");
        for (Throwable planted : List.of(new IllegalStateException("planted"), new AssertionError("planted"),
                new IOException("planted"))) {
            thrown[0] = null;
            assertEquals(MethodPublished.PUBLISHED, book.publish(q -> q.book(QUERY)));
            assertEquals(1, book.size());
            thrown[0] = planted;
            Throwable met = assertThrows(Throwable.class, () -> book.publish(q -> q.book(QUERY)));
            assertSame(planted, planted instanceof IOException ? met.getCause() : met);
            if (planted instanceof IOException) {
                assertEquals(Status.UNKNOWN, ((RpcException) met).status());
                assertEquals(QuotesService.BOOK.fullName() + " threw " + planted, met.getMessage());
            }
            assertEquals(0, book.size());
        }
    }

    // ---- misuse

    private static String refused(org.junit.jupiter.api.function.Executable misuse) {
        return assertThrows(IllegalArgumentException.class, misuse).getMessage();
    }

    @Test
    void whatIsNoResultIsRefusedByItsName() {
        String last = " is no result of " + QuotesService.LAST_LONG.fullName();
        MethodPublisher<Quotes> lasts = offer("last(long)");
        assertEquals("text" + last, refused(() -> lasts.publish(q -> q.last(1), "text")));
        assertEquals("null" + last, refused(() -> lasts.publish(q -> q.last(1), null)));
        MethodPublisher<Quotes> quotes = offer("quote");
        assertEquals("null is no result of " + QuotesService.QUOTE.fullName(),
                refused(() -> quotes.publish(q -> q.quote(1), null)));
        Quotes.Quote half = new Quotes.Quote(1, 2, null);
        assertEquals(half + " is no result of " + QuotesService.QUOTE.fullName(),
                refused(() -> quotes.publish(q -> q.quote(1), half)));
        assertEquals(0, lasts.size() + quotes.size());
    }

    @Test
    void aCallOfNothingOrOfSomethingElseIsRefused() {
        MethodPublisher<Quotes> last = offer("last(long)");
        last.publish(q -> q.last(1));
        assertEquals("no call of " + QuotesService.LAST_LONG.fullName() + " was made",
                refused(() -> last.publish(q -> 5L)));
        assertEquals("answers of " + QuotesService.LAST_LONG.fullName() + " are published here, not of "
                + QuotesService.NAME.fullName(), refused(() -> last.publish(q -> q.name("x"))));
        assertEquals(1, last.size());
        last.publish(q -> q.last(2));
        assertEquals(2, last.size());
    }

    @Test
    void whatACallThrowsBesideIsThrown() {
        MethodPublisher<Quotes> last = offer("last(long)");
        RuntimeException planted = new IllegalStateException("planted");
        assertSame(planted, assertThrows(RuntimeException.class, () -> last.publish(q -> {
            throw planted;
        })));
        IOException checked = new IOException("planted");
        RpcException e = assertThrows(RpcException.class, () -> last.remove(q -> {
            throw checked;
        }));
        assertEquals(Status.INTERNAL, e.status());
        assertSame(checked, e.getCause());
        assertEquals("recording of " + QuotesService.LAST_LONG.fullName() + " threw: " + checked, e.getMessage());
    }

    @Test
    void argumentsThatCannotBeWrittenAreNamed() {
        MethodPublisher<Quotes> book = offer("book");
        RpcException e = assertThrows(RpcException.class, () -> book.publish(q -> q.book(null)));
        assertEquals(Status.INVALID_ARGUMENT, e.status());
        assertTrue(e.getMessage().startsWith("query is null"), e.getMessage());
        assertEquals(MethodPublished.PUBLISHED, book.publish(q -> q.book(QUERY)));
    }

    @Test
    void whereProgramsAreFoundIsTold() {
        MethodPublisher<Quotes> name = offer("name");
        assertEquals("name#0", name.name());
        assertEquals(rig.address + ".offload", name.address());
        assertEquals(0, name.header());
    }
}
