package org.jvrpc.samples.kv.memcache;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The same random commands to this server and to Debian's memcached: all answers are equal, but for versions of items.
 */
class DifferentialTest {

    private static final int TEXT_COMMANDS = 20_000;
    private static final int BINARY_COMMANDS = 10_000;
    private static final Pattern HOLE = Pattern.compile("\\{([^}]*)}");
    private static final Pattern GETS = Pattern.compile("(?dm)^(VALUE (\\S+) \\d+ \\d+) (\\d+)\r$");
    private static final Pattern META = Pattern.compile("(?dm)^(HD|VA \\d+|EN|NF|EX|NS)(( \\S+)*)\r$");

    /** One of the two: its connection and the versions that it told. */
    private static final class Side implements AutoCloseable {

        final Map<String, String> versions = new HashMap<>();
        final int port;
        RawClient client;

        Side(int port) throws IOException {
            this.port = port;
            client = new RawClient(port);
        }

        String ask(String command) throws IOException {
            Matcher hole = HOLE.matcher(command);
            String filled = hole.replaceAll(found -> versions.getOrDefault(found.group(1), "1"));
            String answer = client.ask(filled);
            Matcher gets = GETS.matcher(answer);
            while (gets.find()) {
                versions.put(gets.group(2), gets.group(3));
            }
            return mask(answer);
        }

        @Override
        public void close() throws IOException {
            client.close();
        }
    }

    /** Takes out versions, and times to live that a second may have passed in between. */
    private static String mask(String answer) {
        String masked = GETS.matcher(answer.replaceAll("(?dm)^VERSION .*\r$", "VERSION\r")).replaceAll("$1 VERSION\r");
        return META.matcher(masked).replaceAll(line -> Matcher.quoteReplacement(line.group(1)
                + line.group(2).replaceAll(" c[1-9]\\d*", " cVERSION").replaceAll(" t\\d+", " tTIME") + "\r"));
    }

    @Test
    void numbersOfAllLengthsAreTakenAndRefusedAsByMemcached() throws Exception {
        String[] commands = {"set k # 0 1\r\nx", "set k 0 # 1\r\nx", "cas k 0 0 1 #\r\nx", "incr k #", "decr k #",
            "touch k #", "gat # k", "verbosity #", "delete k #", "ms k S#", "mg k T#", "mg k N#", "ma k D#", "ma k J#"};
        String[] numbers = {"", "0", "+5", "-1", "1.5", "5x", "0x10", "2147483647", "2147483648", "-2147483649",
            "4294967296", "9223372036854775808", "18446744073709551615", "18446744073709551616", "9".repeat(30),
            "9".repeat(300), "0".repeat(30) + "1"};
        String item = "set k 0 0 1\r\n5\r\n"; // anew each time: some of the numbers are times after which it ends
        try (DebianMemcached memcached = DebianMemcached.start(); TestServer server = TestServer.start();
             Side theirStore = new Side(memcached.port); Side ourStore = new Side(server.port())) {
            for (String command : commands) {
                for (String number : numbers) {
                    assertEquals(theirStore.ask(item), ourStore.ask(item));
                    String line = command.replace("#", number) + "\r\n";
                    try (Side theirs = new Side(memcached.port); Side ours = new Side(server.port())) {
                        assertEquals(theirs.ask(line), ours.ask(line), line);
                    }
                }
            }
        }
    }

    @Test
    void statisticsOfPrefixesAreThoseOfMemcached() throws Exception {
        String[] commands = {"stats detail on", "set a:1 0 0 1\r\nx", "get a:1", "get a:2 plain b:1 a:1", "gat 9 b:2",
            "incr a:1 1", "touch a:1 9", "delete a:1", "delete a:9", "add c:1 0 0 1\r\nx", "add c:1 0 0 1\r\nx",
            "append d:1 0 0 1\r\nx", "cas d:2 0 0 1 5\r\nx", "mg m:1 v", "ms m:1 1\r\nx", "md m:1", "set :x 0 0 1\r\nx",
            "stats detail dump", "stats detail off", "get a:1", "stats detail dump", "stats detail", "stats detail x",
            "stats cachedump", "stats nothing", "stats reset", "stats detail dump"};
        try (DebianMemcached memcached = DebianMemcached.start(); TestServer server = TestServer.start();
             Side theirs = new Side(memcached.port); Side ours = new Side(server.port())) {
            for (String command : commands) {
                assertEquals(sorted(theirs.ask(command + "\r\n")), sorted(ours.ask(command + "\r\n")), command);
            }
        }
    }

    /** Lines in the order of their text: memcached tells prefixes by its hash. */
    private static String sorted(String answer) {
        return answer.lines().sorted().collect(Collectors.joining("\n"));
    }

    @Test
    void textAndMetaAnswersAreThoseOfMemcached() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        TextCommandSource source = new TextCommandSource(new Random(seed), 12);
        ArrayDeque<String> last = new ArrayDeque<>();
        try (DebianMemcached memcached = DebianMemcached.start();
             TestServer server = TestServer.start();
             Side theirs = new Side(memcached.port);
             Side ours = new Side(server.port())) {
            for (int i = 0; i < TEXT_COMMANDS; i++) {
                String command = source.next();
                last.add(command.substring(0, Math.min(90, command.length())));
                if (last.size() > 20) {
                    last.removeFirst();
                }
                String expected = theirs.ask(command);
                assertEquals(expected, ours.ask(command), () -> "after " + last);
                if (i % 20 == 0) {
                    refresh(theirs, ours, last);
                }
            }
        }
    }

    /** Learns versions that may be used in later commands. */
    private static void refresh(Side theirs, Side ours, ArrayDeque<String> last) throws IOException {
        for (int k = 0; k < 12; k++) {
            assertEquals(theirs.ask("gets k" + k + "\r\n"), ours.ask("gets k" + k + "\r\n"),
                    () -> "after " + last);
        }
    }

    @Test
    void binaryAnswersAreThoseOfMemcached() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        try (DebianMemcached memcached = DebianMemcached.start();
             TestServer server = TestServer.start();
             Side theirs = new Side(memcached.port);
             Side ours = new Side(server.port())) {
            for (int i = 0; i < BINARY_COMMANDS; i++) {
                BinaryCommand command = BinaryCommand.random(random);
                String expected = command.run(theirs.client, theirs.versions);
                String actual = command.run(ours.client, ours.versions);
                assertEquals(expected, actual, command::toString);
                if (expected.endsWith("closed")) {
                    theirs.client.close();
                    ours.client.close();
                    theirs.client = new RawClient(theirs.port);
                    ours.client = new RawClient(ours.port);
                }
            }
        }
    }

    /** A request of the binary protocol. */
    private record BinaryCommand(int opcode, byte[] extras, String key, byte[] value, boolean withCas, long odd) {

        private static final int[] OPCODES = {0, 1, 2, 3, 4, 5, 6, 9, 0xc, 0xd, 0xe, 0xf, 0x11, 0x12, 0x13, 0x14, 0x15,
            0x16, 0x19, 0x1a, 0x1c, 0x1d, 0x1e, 0x23, 0x24, 0, 1, 5, 0xa, 8, 0x18, 7, 0x17, 0x30, 0x20};

        static BinaryCommand random(Random random) {
            int opcode = OPCODES[random.nextInt(OPCODES.length)];
            int loud = BinaryOpcode.loud(opcode);
            boolean keyed = loud != BinaryOpcode.NOOP && loud != BinaryOpcode.FLUSH && loud != BinaryOpcode.QUIT
                    && loud < 0x20 || loud == BinaryOpcode.GATK;
            boolean stores = loud >= 1 && loud <= 3 || loud == 0xe || loud == 0xf;
            String value = random.nextBoolean() ? "" + random.nextInt(1000) : "v".repeat(random.nextInt(300));
            // memcached takes too many bytes for the body of an unknown command.
            int odd = random.nextInt(200) == 0 && opcode != 0x30 ? 1 + random.nextInt(2) : 0;
            return new BinaryCommand(opcode, extrasOf(loud, random), keyed ? "b" + random.nextInt(10) : "",
                    stores ? value.getBytes() : new byte[0], random.nextInt(4) == 0, odd);
        }

        private static byte[] extrasOf(int loud, Random random) {
            switch (loud) {
                case BinaryOpcode.SET:
                case BinaryOpcode.ADD:
                case BinaryOpcode.REPLACE:
                    return ByteBuffer.allocate(8).putInt(random.nextInt()).putInt(random.nextInt(2) * 1000).array();
                case BinaryOpcode.INCREMENT:
                case BinaryOpcode.DECREMENT:
                    return ByteBuffer.allocate(20).putLong(random.nextInt(50)).putLong(random.nextInt(9))
                            .putInt(random.nextBoolean() ? -1 : 0).array();
                case BinaryOpcode.TOUCH:
                case BinaryOpcode.GAT:
                case BinaryOpcode.GATK:
                    return ByteBuffer.allocate(4).putInt(random.nextInt(3) * 500).array();
                default:
                    return new byte[0];
            }
        }

        /** Sends the command and a NOOP, and returns all answers without versions. */
        String run(RawClient client, Map<String, String> versions) throws IOException {
            long cas = withCas ? Long.parseUnsignedLong(versions.getOrDefault(key, "0")) : 0;
            byte[] extra = odd == 1 ? new byte[3] : extras;
            String sent = odd == 2 ? "y".repeat(251) : key;
            ByteBuffer request = ByteBuffer.allocate(48 + extra.length + sent.length() + value.length);
            request.put((byte) 0x80).put((byte) opcode).putShort((short) sent.length())
                    .put((byte) extra.length).put((byte) 0).putShort((short) 0)
                    .putInt(extra.length + sent.length() + value.length).putInt(0xabcd).putLong(cas)
                    .put(extra).put(sent.getBytes()).put(value);
            request.put((byte) 0x80).put((byte) BinaryOpcode.NOOP).putShort((short) 0).putInt(0).putInt(0)
                    .putInt(0x7777).putLong(0);
            StringBuilder answers = new StringBuilder();
            try {
                client.send(request.array());
                while (true) {
                    ByteBuffer message = ByteBuffer.wrap(client.message());
                    if (message.getInt(12) == 0x7777) {
                        return answers.toString();
                    }
                    note(message, versions);
                    answers.append(java.util.HexFormat.of().formatHex(message.array())).append('\n');
                }
            } catch (IOException e) {
                return answers + "closed";
            }
        }

        private void note(ByteBuffer message, Map<String, String> versions) {
            long version = message.getLong(16);
            if (version != 0) {
                versions.put(key, Long.toUnsignedString(version));
                message.putLong(16, 1);
            }
        }

        @Override
        public String toString() {
            return "opcode=0x" + Integer.toHexString(opcode) + " key=" + key + " value=" + new String(value)
                    + " cas=" + withCas + " odd=" + odd;
        }
    }
}
