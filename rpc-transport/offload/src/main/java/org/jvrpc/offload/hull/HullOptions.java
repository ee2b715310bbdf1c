package org.jvrpc.offload.hull;

import java.nio.file.Path;
import java.util.List;

/**
 * What a hull is told.
 *
 * @param address where clients of lookups connect
 * @param bytes of the memory that the application attaches to
 * @param control the socket where the application asks
 * @param quickDeaths in a row after which the application is not started again; 0 to never do so
 * @param quickMs how long a life is that counts as a quick death
 * @param stopMs how long the application may take to end when it is told to
 * @param command the application's
 */
record HullOptions(
        String address, long bytes, Path control, int quickDeaths, long quickMs, long stopMs, List<String> command) {

    static final String USAGE = """
            usage: hull --address ADDRESS --bytes BYTES [options] -- COMMAND [ARGUMENT...]
            Owns memory, queues and keys of lookups, and runs the application as its child.

              --address ADDRESS    where clients of lookups connect, such as shm://kv-lookups
              --bytes BYTES        memory for the application's data, such as 64m or 2g
              --control PATH       Unix-domain socket for the application, which finds it in $JVRPC_HULL
              --restart            start the application again when it dies (default)
              --no-restart         end when the application dies, with its status
              --quick-deaths N     give up after so many quick deaths in a row (default: 5)
              --quick-ms MS        a death is quick up to this age (default: 5000)
              --stop-ms MS         how long the application may take to end when told to (default: 5000)
            """;

    /** Reads a command line. @throws IllegalArgumentException which says what is wrong with it */
    static HullOptions parse(String... args) {
        Parser parser = new Parser(args);
        parser.run();
        if (parser.address == null || parser.bytes == 0) {
            throw new IllegalArgumentException((parser.address == null ? "--address" : "--bytes") + " is missing");
        }
        if (parser.command.isEmpty()) {
            throw new IllegalArgumentException("no command: -- and the application's command are missing");
        }
        Path control = parser.control != null ? parser.control : ControlPort.defaultPath(parser.address);
        return new HullOptions(parser.address, parser.bytes, control, parser.restart ? parser.quickDeaths : 0,
                parser.quickMs, parser.stopMs, parser.command);
    }

    private static final class Parser {

        private final String[] args;
        private int at;
        private String address;
        private long bytes;
        private Path control;
        private boolean restart = true;
        private int quickDeaths = 5;
        private long quickMs = 5000;
        private long stopMs = 5000;
        private List<String> command = List.of();

        Parser(String[] args) {
            this.args = args;
        }

        void run() {
            while (at < args.length) {
                String option = args[at++];
                switch (option) {
                    case "--address" -> address = address(value(option));
                    case "--bytes" -> bytes = bytes(option, value(option));
                    case "--control" -> control = Path.of(value(option)).toAbsolutePath();
                    case "--restart" -> restart = true;
                    case "--no-restart" -> restart = false;
                    case "--quick-deaths" -> quickDeaths = (int) number(option, value(option), 1, 1_000_000);
                    case "--quick-ms" -> quickMs = number(option, value(option), 0, 3_600_000);
                    case "--stop-ms" -> stopMs = number(option, value(option), 0, 3_600_000);
                    case "--" -> {
                        command = List.of(args).subList(at, args.length);
                        return;
                    }
                    default -> throw new IllegalArgumentException("unknown option: " + option);
                }
            }
        }

        private String value(String option) {
            if (at == args.length || args[at].isEmpty() || args[at].equals("--")) {
                throw new IllegalArgumentException(option + " needs a value");
            }
            return args[at++];
        }

        private static String address(String text) {
            if (!text.matches("[a-z]+://.+")) {
                throw new IllegalArgumentException("--address must be SCHEME://NAME, not " + text);
            }
            return text;
        }

        private static long bytes(String option, String text) {
            int unit = "kmg".indexOf(Character.toLowerCase(text.charAt(text.length() - 1))) + 1;
            long count = number(option, unit == 0 ? text : text.substring(0, text.length() - 1), 1,
                    Long.MAX_VALUE >> 10 * unit);
            return count << 10 * unit;
        }

        private static long number(String option, String text, long least, long most) {
            long number;
            try {
                number = Long.parseLong(text);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(option + " must be a number, not " + text, e);
            }
            if (number < least || number > most) {
                throw new IllegalArgumentException(option + " must be " + least + " to " + most + ", not " + number);
            }
            return number;
        }
    }
}
