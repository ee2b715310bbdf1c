package org.jvrpc.tools.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.api.health.ServingStatus;
import org.jvrpc.api.schema.SchemaJson;
import org.jvrpc.api.schema.ServiceSchema;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.runtime.RpcServer;

/** Servers as people and scripts see them. */
class RemoteCommandsTest {

    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final String SHOP = Shop.class.getName();

    private final ShopInMemory shop = new ShopInMemory();
    private final RpcServer server = serve(true);
    @TempDir
    private Path folder;

    private RpcServer serve(boolean tells) {
        return RpcServer.builder().bind("inproc://shop-" + COUNT.incrementAndGet()).service(Shop.class, shop)
                .reflection(tells).admin(tells).start();
    }

    @AfterEach
    void close() {
        server.close();
    }

    private CommandRun call(String method, String... arguments) {
        return CommandRun.of("call", List.of(server.address(), SHOP + "/" + method), arguments);
    }

    private void assertAnswer(String expected, String method, String... arguments) {
        CommandRun run = call(method, arguments);
        assertEquals("", run.err());
        assertEquals(expected + "\n", run.out());
        assertEquals(0, run.code());
    }

    private static void assertFails(int code, String expected, CommandRun run) {
        assertEquals("", run.out());
        assertTrue(run.err().contains(expected), run.err());
        assertEquals(code, run.code(), run.err());
    }

    @Test
    void listPrintsTheServices() {
        CommandRun run = CommandRun.of("list", List.of(server.address()));
        assertEquals("org.jvrpc.api.admin.Admin\norg.jvrpc.api.health.Health\norg.jvrpc.api.reflection.Reflection\n"
                + SHOP + "\n", run.out());
        assertEquals(0, run.code());
        assertTrue(CommandRun.of("list", List.of(server.address(), "--json")).out().startsWith("[\"org.jvrpc.api."));
    }

    @Test
    void describePrintsMethodsWithTheirMarksAndWhatTheyReach() {
        String out = CommandRun.of("describe", List.of(server.address(), SHOP)).out();
        for (String expected : List.of("service " + SHOP + "\n", "    long sum(long, long)\n",
                "    String find(long) throws " + SHOP + ".LostException\n",
                "    String slow(String?)    // heavy, idempotent, deadline PT2S\n",
                "    void tell(String)    // one-way\n", "  enum " + SHOP + ".Side\n    BUY\n    SELL\n",
                "    venue: String?\n", "    second: String?    // since 2\n",
                "  exception " + SHOP + ".LostException\n    id: long\n")) {
            assertTrue(out.contains(expected), expected + " is not in\n" + out);
        }
    }

    @Test
    void whatDescribePrintsAsJsonIsADescriptor() {
        String out = CommandRun.of("describe", List.of(server.address(), SHOP, "--json")).out();
        assertEquals(ServiceSchema.of(ServiceDescriptor.of(Shop.class)), SchemaJson.read(out));
    }

    @Test
    void everythingThatHasALayoutComesBackAsItWent() throws IOException {
        String all = """
                {"truth":true,"octet":-7,"small":300,"letter":"ü","number":-42,"big":9223372036854775807,"single":0.5,
                 "real":"-Infinity","text":"a \\"b\\" €","bytes":"AQID","buffer":"BAU=","longs":[1,2],"truths":[true],
                 "side":"SELL","duration":"PT1.5S","instant":"2026-01-31T08:00:00Z",
                 "uuid":"123e4567-e89b-12d3-a456-426614174000","integer":123456789012345678901234567890,
                 "decimal":1.230,"legs":[{"instrument":1,"venue":"XETR"},{"instrument":2,"venue":null}],
                 "tags":["x","y"],"byNumber":{"7":{"instrument":3,"venue":null}},
                 "byLeg":[[{"instrument":4,"venue":null},"BUY"]],"maybe":{"instrument":5,"venue":null},"count":6,
                 "array":[],"boxed":null,"nothing":{},"grown":{"first":1,"second":"two"}}""";
        CommandRun run = call("echo", all);
        assertEquals("", run.err());
        ObjectMapper json = new ObjectMapper();
        JsonNode came = json.readTree(run.out());
        assertEquals(json.readTree(all), came);
        assertTrue(run.out().contains("1.230") && run.out().contains("9223372036854775807"), run.out());
    }

    @Test
    void recordsMayHoldOthersOfTheirKind() {
        assertAnswer("{\"name\":\"a\",\"children\":[{\"name\":\"b\",\"children\":[]}]}", "grow",
                "{\"name\":\"a\",\"children\":[{\"name\":\"b\",\"children\":[]}]}");
    }

    @Test
    void componentsThatMayBeNullNeedNotStand() {
        assertAnswer("9", "total", "--stdin", "{\"instrument\":4}\n\n{\"instrument\":5}\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "sum|40 2|42", "sum|a b c|\"abc\"", "sum|\"a\" 7 c|\"a7c\"", "over(int)|1|2", "over(String)|1|\"1!\"",
        "slow|null|\"nothing\"", "slow|\"null\"|\"null\"", "slow|text|\"text\"", "fill|abc|\"YWJj\""})
    void methodsAreFoundByNameAndArguments(String method, String arguments, String expected) {
        assertAnswer(expected, method, arguments.split(" "));
    }

    @Test
    void aOneWayCallPrintsNothing() throws InterruptedException {
        CommandRun run = call("tell", "hello");
        assertEquals(new CommandRun(0, "", ""), run);
        assertEquals("hello", shop.told.poll(60, TimeUnit.SECONDS));
    }

    @Test
    void aStreamIsPrintedALineEach() {
        assertAnswer("{\"instrument\":0,\"venue\":null}\n{\"instrument\":1,\"venue\":\"XETR\"}", "legs", "2");
        assertAnswer("{\"instrument\":0,\"venue\":null}", "legs", "1000000", "--limit", "1");
    }

    @Test
    void whatAStreamFailsWithComesBehindItsElements() {
        CommandRun run = call("legs", "3");
        assertEquals(3, run.out().lines().count());
        assertEquals(1, run.code());
        assertEquals("jvrpc: " + SHOP + ".LostException {\"id\":3}\n", run.err());
    }

    @Test
    void aStreamIsSentFromTheStandardInput() {
        assertAnswer("2\n4\n6", "doubled", "--stdin", "1\n2\n3\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "total|{\"instrument\":1}\\n{\"instrument\":true}\\n|line 2.instrument: expected a number for long, found true",
        "total|{\"instrument\":1|no JSON", "doubled|1\\n2.5\\n|line 2: expected a whole number for long, found 2.5"})
    void anElementThatDoesNotFitIsMisuse(String method, String lines, String expected) {
        CommandRun run = call(method, "--stdin", lines.replace("\\n", "\n"));
        assertTrue(run.err().contains(expected), run.err());
        assertEquals(2, run.code());
    }

    @Test
    void aDeclaredExceptionIsAFailureWithItsComponents() {
        assertFails(1, SHOP + ".LostException {\"id\":7}", call("find", "7"));
        assertFails(1, "{\"exception\":\"" + SHOP + ".LostException\",\"components\":{\"id\":7}}",
                call("find", "7", "--json"));
    }

    @Test
    void aStatusIsAFailureWithItsDetails() throws IOException {
        assertFails(1, "RESOURCE_EXHAUSTED: no more", call("find", "13"));
        JsonNode failure = new ObjectMapper().readTree(call("find", "13", "--json").err());
        assertEquals("RESOURCE_EXHAUSTED", failure.get("status").asText());
        assertEquals("OVER_QUOTA", failure.get("reason").asText());
        assertEquals("PT0.05S", failure.get("retryAfter").asText());
        assertTrue(failure.get("mayHaveRun").asBoolean());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "sum|1 x|argument 2: no JSON", "sum|1 true|argument 2: expected a number for long, found true",
        "sum|1 9223372036854775808|argument 2: expected long from -9223372036854775808",
        "over(int)|1.5|argument 1: expected a whole number for int, found 1.5",
        "over(int)|1e999999999|argument 1: expected a whole number for int",
        "over|1|which of over(String) over(int)", "lost|1|no method lost in ",
        "sum|1|arguments=1 do not fit sum(String,String,String) sum(long,long)",
        "grow|{\"name\":\"a\"}|argument 1: component \"children\" of ", "grow|[]|an object with [name, children]",
        "grow|{\"nam\":\"a\"}|has no component \"nam\": it has [name, children]",
        "grow|{\"name\":\"a\",\"name\":\"b\"}|no JSON: Duplicate field 'name'",
        "grow|{\"name\":\"a\",\"children\":[{\"name\":1,\"children\":[]}]}|1.children[0].name: expected a string",
        "graph|{}|TreeMap<java.lang.String,java.lang.String> travels as an object graph"})
    void argumentsThatDoNotFitAreMisuse(String method, String arguments, String expected) {
        assertFails(2, expected, call(method, arguments.split(" ")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "side|\"HOLD\"|argument 1.side: expected one of [BUY, SELL], found \"HOLD\"",
        "letter|\"ab\"|argument 1.letter: expected a string of one char", "bytes|\"§\"|1.bytes: expected base64",
        "uuid|\"x\"|argument 1.uuid: expected a string for UUID, such as", "octet|128|1.octet: expected byte from",
        "single|1e39|argument 1.single: expected a number that a float can hold",
        "byLeg|[[1]]|argument 1.byLeg[0]: expected [key, value]", "truth|1|argument 1.truth: expected true or false",
        "duration|5|argument 1.duration: expected a string for Duration"})
    void aComponentThatDoesNotFitIsMisuse(String component, String value, String expected) {
        int from = ALL.indexOf("\"" + component + "\":") + component.length() + 3;
        int to = ALL.indexOf(component.equals("byLeg") ? ",\"array" : ",", from);
        assertFails(2, expected, call("echo", ALL.substring(0, from) + value + ALL.substring(to)));
    }

    private static final String ALL = """
            {"truth":true,"octet":0,"small":0,"letter":"x","number":0,"big":0,"single":0,"real":0,"text":"","bytes":"",
             "buffer":"","longs":[],"truths":[],"side":"BUY","duration":"PT0S","instant":"2026-01-31T08:00:00Z",
             "uuid":"123e4567-e89b-12d3-a456-426614174000","integer":0,"decimal":0,"legs":[],"tags":[],"byNumber":{},
             "byLeg":[[{"instrument":4},"BUY"]],"array":[],"nothing":{},"grown":{"first":1,"second":""}}""";

    @Test
    void aServerThatDoesNotTellIsAskedByDescriptors() throws IOException {
        Path file = Files.writeString(folder.resolve("shop.json"),
                SchemaJson.write(ServiceSchema.of(ServiceDescriptor.of(Shop.class))));
        try (RpcServer silent = serve(false)) {
            List<String> arguments = List.of(silent.address(), SHOP + "/sum", "1", "2");
            assertFails(3, "does not describe its services", CommandRun.of("call", arguments));
            assertFails(3, "does not describe its services", CommandRun.of("list", List.of(silent.address())));
            assertFails(3, "does not tell of its sessions", CommandRun.of("admin", List.of(silent.address())));
            assertEquals(new CommandRun(0, "3\n", ""), CommandRun.of("call", arguments, "--descriptor",
                    file.toString()));
        }
    }

    @Test
    void componentsThatTheServerDoesNotKnowDoNotTravel() throws IOException {
        String newer = SchemaJson.write(ServiceSchema.of(ServiceDescriptor.of(Shop.class)))
                .replace("Grown{first@1:int,second@2:String?}", "Grown{first@1:int,second@2:String?,third@3:long}")
                .replaceFirst("\"fingerprint\": \"[0-9a-f]*\"", "\"fingerprint\": \"0000000000000001\"");
        Path file = Files.writeString(folder.resolve("shop.json"), newer);
        CommandRun run = CommandRun.of("call", List.of(server.address(), SHOP + "/echo", ALL.replace("\"second\":\"\"",
                "\"second\":\"2\",\"third\":3"), "--descriptor", file.toString()));
        assertEquals("", run.err());
        assertTrue(run.out().contains("\"grown\":{\"first\":1,\"second\":\"2\"}"), run.out());
    }

    @Test
    void withoutAServerTheCodeSaysSo() {
        assertFails(3, "UNAVAILABLE", CommandRun.of("list", List.of("inproc://nobody", "--timeout", "0.2")));
        assertFails(3, "\"status\":\"UNAVAILABLE\"",
                CommandRun.of("list", List.of("inproc://nobody", "--timeout", "0.2", "--json")));
    }

    /** On every host: the loopback interface is no RDMA device's, where there is one. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"list|", "describe|", "health|", "admin|", "call|a.B/c"})
    void anRdmaDeviceThatIsNotThereIsSaidInALine(String command, String more) {
        List<String> arguments = new ArrayList<>(List.of("rdma://127.0.0.1:7471"));
        if (more != null) {
            arguments.add(more);
        }
        CommandRun run = CommandRun.of(command, arguments);
        assertFails(3, "jvrpc: UNAVAILABLE: ", run);
        assertTrue(run.err().contains("RDMA") || run.err().contains("libibverbs is missing"), run.err());
        assertEquals(1, run.err().lines().count(), run.err());
        assertMisuse("rdma://host:port[?device=NAME", CommandRun.of("list", List.of("rdma://127.0.0.1")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"--timeout 0|more than 0", "--timeout x|--timeout",
        "--token-file /nowhere|the token cannot be read", "--descriptor /nowhere|no such file or folder: /nowhere"})
    void wrongOptionsAreMisuse(String options, String expected) {
        assertMisuse(expected, call("sum", ("1 2 " + options).split(" ")));
    }

    @Test
    void wrongAddressesAndMethodsAreMisuse() {
        assertMisuse("'Shop'", CommandRun.of("call", List.of(server.address(), "Shop")));
        assertMisuse("nonsense", CommandRun.of("list", List.of("nonsense")));
    }

    private static void assertMisuse(String expected, CommandRun run) {
        assertEquals(2, run.code(), run.err());
        assertTrue(run.err().contains(expected), run.err());
    }

    @Test
    void healthSaysItByItsCode() {
        assertEquals(new CommandRun(0, "SERVING\n", ""), CommandRun.of("health", List.of(server.address())));
        server.health().set(SHOP, ServingStatus.NOT_SERVING);
        assertEquals(new CommandRun(1, "NOT_SERVING\n", ""), CommandRun.of("health", List.of(server.address(), SHOP)));
        assertEquals(new CommandRun(1, "{\"service\":\"x\",\"status\":\"SERVICE_UNKNOWN\"}\n", ""),
                CommandRun.of("health", List.of(server.address(), "x", "--json")));
    }

    @Test
    void adminPrintsSessionsAndSettings() throws IOException {
        JsonNode admin = new ObjectMapper().readTree(
                CommandRun.of("admin", List.of(server.address(), "--json")).out());
        assertEquals(server.address(), admin.get("settings").get("bind").asText());
        assertEquals(1, admin.get("sessions").size());
        String text = CommandRun.of("admin", List.of(server.address())).out();
        assertTrue(text.contains("SESSION") && text.contains("pollers") && text.contains("this host"), text);
    }

    /** Has a text stand in the place of the standard input. */
    static InputStream input(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}
