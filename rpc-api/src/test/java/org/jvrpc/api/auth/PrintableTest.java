package org.jvrpc.api.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;

/** What is written down of names that others chose. */
class PrintableTest {

    @Test
    void whatEndsLinesOrMovesTheCursorIsWrittenAsItsNumber() {
        assertEquals("a\\u{a}b\\u{d}\\u{1b}[2J\\u{7f}\\u{9b}", Printable.of("a\nb\r\u001b[2J\u007f\u009b", 100));
        assertEquals("\\u{202e}\\u{2066}\\u{200b}\\u{2028}\\u{2029}\\u{feff}\\u{a0}",
                Printable.of("\u202e\u2066\u200b\u2028\u2029\ufeff\u00a0", 100));
        assertEquals("\\u{22}\\u{5c}é漢😀", Printable.of("\"\\é漢😀", 100));
        assertEquals("\\u{d800}", Printable.of("\ud800", 100));
    }

    @Test
    void textIsCutBetweenCharacters() {
        assertEquals("abc…", Printable.of("abcd", 3));
        assertEquals("abcd", Printable.of("abcd", 4));
        assertEquals("ab…", Printable.of("ab\n", 6));
    }

    @Test
    void anyTextIsOneShortLineThatSaysNoMoreThanItSeems() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 2000; i++) {
            StringBuilder text = new StringBuilder();
            random.ints(random.nextInt(300), 0, 0x11000).forEach(point -> text.appendCodePoint(point));
            String line = Printable.of(text.toString(), 100);
            assertTrue(line.length() <= 101, () -> "seed=" + seed);
            assertFalse(line.codePoints().anyMatch(point -> point < 0x20 || point == 0x7f || point == '"'
                    || Character.getType(point) == Character.FORMAT || Character.getType(point) == Character.CONTROL),
                    () -> "seed=" + seed);
        }
    }

    @Test
    void anEventIsOneLineWhateverItsNamesAre() throws Exception {
        String line = new AuditEvent(AuditEvent.Kind.REFUSAL, RpcPrincipal.token("ann\nCALL principal=\"root\"", null),
                7, InetAddress.getByName("10.0.0.7"), "Orders/\u202eplace" + "x".repeat(5000), Status.PERMISSION_DENIED,
                "no\r\n" + "y".repeat(5000)).toString();
        assertTrue(line.startsWith("refusal principal=\"token:ann\\u{a}CALL principal=\\u{22}root\\u{22}\" session=7"
                + " host=10.0.0.7 target=\"Orders/\\u{202e}placexxx"), line);
        assertTrue(line.contains("status=PERMISSION_DENIED reason=\"no\\u{d}\\u{a}yyy"), line);
        assertTrue(line.length() < 1000, line);
    }

    @Test
    void tokensAreNotShown() {
        Metadata metadata = new Metadata().put("a", "b");
        CallCredentials credentials = CallCredentials.bearer(() -> "s3cret");
        credentials.apply(new MethodDescriptor(0, "s", "m", "m()", 0, false, false, 0, false), metadata);
        assertEquals("Bearer s3cret", metadata.get("authorization"));
        assertEquals("[a, b, authorization, (not shown)]", metadata.toString());
        assertFalse(credentials.toString().contains("s3cret"));
        assertFalse(TokenVerifier.of(Map.of("s3cret", RpcPrincipal.anonymous())).toString().contains("s3cret"));
    }

    @Test
    void principalsAreEqualByKindAndIdentity() throws Exception {
        assertEquals(RpcPrincipal.process("ann", "a", 1, 1, 7), RpcPrincipal.process("ann", "b", 1, 2, 8));
        assertFalse(RpcPrincipal.process("ann", "a", 1, 1, 7).equals(RpcPrincipal.token("ann", null)));
        assertFalse(RpcPrincipal.anonymous().equals(RpcPrincipal.anonymous(InetAddress.getByName("10.0.0.1"))));
        assertEquals(RpcPrincipal.anonymous(InetAddress.getByName("10.0.0.1")),
                RpcPrincipal.anonymous(InetAddress.getByName("10.0.0.1")));
        assertEquals("anonymous:10.0.0.1", RpcPrincipal.anonymous(InetAddress.getByName("10.0.0.1")).toString());
    }
}
