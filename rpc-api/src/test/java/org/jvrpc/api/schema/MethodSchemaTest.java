package org.jvrpc.api.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MethodSchemaTest {

    private static final String SIGNATURE = "find(long,into ByteBuffer,List<a.Box<String?>>)a.Order? throws"
            + " a.Gone{id:long,why@2:String?},a.Shut{} a.Box<String?>{value:String?} a.Order{id:long,side:a.Side,"
            + "tags@2:Map<String,a.Side>,rest@3:object java.util.TreeMap<String,Integer>} a.Side[BUY,SELL] object"
            + " a.Tree{left:a.Tree} object a.Tree[]{}";

    @Test
    void aSignatureIsReadInItsParts() {
        MethodSchema method = MethodSchema.parse(SIGNATURE);
        assertEquals("find(long,into ByteBuffer,List<a.Box<String?>>)", method.key());
        assertEquals("find", method.name());
        assertEquals("a.Order?", method.result());
        assertFalse(method.oneWay());
        assertTrue(method.hasObjects());
        assertEquals(List.of("a.Gone", "a.Shut"), method.thrown().stream().map(Layout::name).toList());
        assertEquals(List.of(new Layout.Part("id:long", 0), new Layout.Part("why:String?", 2)),
                method.thrown().get(0).parts());
        assertEquals(List.of("a.Box<String?>", "a.Order", "a.Side", "a.Tree", "a.Tree[]"),
                List.copyOf(method.layouts().keySet()));
        Layout order = method.layouts().get("a.Order");
        assertEquals(2, order.base());
        assertTrue(order.grows());
        assertEquals("rest:object java.util.TreeMap<String,Integer>", order.parts().get(3).text());
        assertEquals(Layout.Kind.ENUM, method.layouts().get("a.Side").kind());
        assertEquals(Layout.Kind.OBJECT, method.layouts().get("a.Tree[]").kind());
    }

    @Test
    void itsPiecesAreTheMethodAndEachLayout() {
        List<String> pieces = MethodSchema.parse(SIGNATURE).pieces();
        assertEquals(SIGNATURE, String.join(" ", pieces));
        assertEquals(6, pieces.size());
        assertEquals("object a.Tree{left:a.Tree}", pieces.get(4));
    }

    @Test
    void kindsOfResultsAreToldApart() {
        assertEquals("void", MethodSchema.parse("tick(long)void oneway").result());
        assertTrue(MethodSchema.parse("tick(long)void oneway").oneWay());
        assertEquals("object a.Tree", MethodSchema.parse("tree()object a.Tree object a.Tree{}").result());
        assertEquals("stream of long", MethodSchema.parse("ticks(stream of int)stream of long").result());
        assertEquals("stream of object a.T", MethodSchema.parse("t()stream of object a.T object a.T{}").result());
    }

    @Test
    void whatIsNoSignatureIsRefused() {
        for (String text : List.of("", "x", "x(", "()void", "x)void(", "x()object", "x()void throws", "x()void a.B",
                "x()void a.B{", "x()void a.B{c}", "x()void a.B{c@0:int}", "x()void a.B{c@x:int}", "x()void {}",
                "x()void a.B{c:int", "x()a>b", "x()stream of", "x()" + "stream of ".repeat(100_000))) {
            assertThrows(IllegalArgumentException.class, () -> MethodSchema.parse(text),
                    () -> Split.brief(text));
        }
    }

    @Test
    void anyTextIsReadOrRefused() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            char[] text = SIGNATURE.toCharArray();
            for (int j = random.nextInt(4); j >= 0; j--) {
                text[random.nextInt(text.length)] = "<>{}[]()@:, a1".charAt(random.nextInt(14));
            }
            String changed = new String(text, 0, random.nextInt(text.length + 1));
            try {
                assertEquals(changed, MethodSchema.parse(changed).signature());
            } catch (IllegalArgumentException e) {
                assertFalse(MethodSchema.unread(changed).key().isEmpty());
            } catch (RuntimeException e) {
                throw new AssertionError("seed=" + seed + ": " + changed, e);
            }
        }
    }

    @Test
    void aSignatureThatCannotBeReadEqualsNone() {
        assertEquals("?x()", MethodSchema.unread("x").key());
        assertEquals("?f(int)", MethodSchema.unread("f(int)woven of int").key());
        assertEquals("?f", MethodSchema.unread("f(int)woven of int").name());
    }
}
