package org.jvrpc.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.codegen.Compilation.Source;

/** Two sides that would read each other's bytes otherwise have other fingerprints, and others have the same. */
class FingerprintTest {

    private static final String SOURCE = """
            package org.acme;
            @org.jvrpc.api.RpcService
            public interface Shop {
                enum Side { BUY, SELL }
                record Order(long id, String name, Side side) { }
                class Sold extends Exception {
                    private static final long serialVersionUID = 1L;
                    private final int left;
                    public Sold(String message, int left) { super(message); this.left = left; }
                    public int left() { return left; }
                }
                Order buy(Order order, int count) throws Sold;
                @org.jvrpc.api.OneWay void tell(String text);
            }
            """;
    private static final Pattern FINGERPRINT = Pattern.compile("long fingerprint\\(\\) \\{\\s+return (\\S+);");

    private static final String BEFORE = fingerprint(SOURCE);

    private static String fingerprint(String source) {
        Compilation compilation = Compilation.process(List.of(new Source("org/acme/Shop.java", source)));
        assertTrue(compilation.isClean(), () -> compilation.messages().toString());
        Matcher found = FINGERPRINT.matcher(compilation.generated().get("org/acme/ShopService.java"));
        assertTrue(found.find());
        return found.group(1);
    }

    private static String changed(String from, String to) {
        assertTrue(SOURCE.contains(from), from);
        return fingerprint(SOURCE.replace(from, to));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "long id, String name, Side side | int id, String name, Side side",
        "long id, String name, Side side | String name, long id, Side side",
        "long id, String name, Side side | long number, String name, Side side",
        "long id, String name, Side side | long id, String name",
        "long id, String name, Side side | long id, @org.jvrpc.api.Nullable String name, Side side",
        "BUY, SELL                       | SELL, BUY",
        "BUY, SELL                       | BUY, SELL, HOLD",
        "int count)                      | long count)",
        "int count)                      | Integer count)",
        "int count) throws Sold          | int count)",
        "Order buy(                      | void buy(",
        "Order buy(                      | Order sell(",
        "Order buy(                      | @org.jvrpc.api.Nullable Order buy(",
        "@org.jvrpc.api.OneWay           | ''",
        "tell(String text)               | tell(byte[] text)",
        "record Order(                   | record Purchase(long id) { } record Order(Purchase purchase,",
    })
    void whatIsReadOtherwiseHasAnotherFingerprint(String from, String to) {
        assertNotEquals(BEFORE, changed(from.strip(), to.strip()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "int count)    | int number)",
        "Order buy(    | @org.jvrpc.api.RpcMethod(heavy = true) Order buy(",
        "Order buy(    | @org.jvrpc.api.RpcMethod(deadline = \"5ms\") Order buy(",
        "Order buy(    | @org.jvrpc.api.RpcMethod(idempotent = true) Order buy(",
        "@org.jvrpc.api.RpcService | @org.jvrpc.api.RpcService @Deprecated",
    })
    void whatEitherSideMayHaveItsWayIsNotInIt(String from, String to) {
        assertEquals(BEFORE, changed(from.strip(), to.strip()));
    }

    @Test
    void theOrderOfMethodsIsNotInIt() {
        String tell = "    @org.jvrpc.api.OneWay void tell(String text);\n";
        String buy = "    Order buy(Order order, int count) throws Sold;\n";
        assertTrue(SOURCE.contains(buy + tell));
        assertEquals(BEFORE, fingerprint(SOURCE.replace(buy + tell, tell + buy)));
    }
}
