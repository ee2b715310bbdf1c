package org.jvrpc.samples.quickstart;

import java.util.Locale;
import java.util.Map;
import org.jvrpc.runtime.IdleStrategy;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Options of the commands. */
final class Options {

    /** Where the two halves meet by default. */
    static final String ADDRESS = "shm://orders";

    private static final int MAX_THREADS = 32;
    private static final int MAX_SECONDS = 7 * 24 * 3600;

    private Options() {
    }

    /** Returns the name of a strategy on the command line. */
    static String nameOf(IdleStrategy idle) {
        return idle.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Reads a strategy. */
    static final class IdleConverter implements ITypeConverter<IdleStrategy> {

        private static final Map<String, IdleStrategy> NAMES = Map.of("spin", IdleStrategy.SPIN, "back-off",
                IdleStrategy.BACK_OFF, "block", IdleStrategy.BLOCK, "adaptive", IdleStrategy.ADAPTIVE);

        @Override
        public IdleStrategy convert(String value) {
            IdleStrategy idle = NAMES.get(value);
            if (idle == null) {
                throw new TypeConversionException("'" + value + "' is none of spin, back-off, block, adaptive");
            }
            return idle;
        }
    }

    /** What both halves have. */
    static final class Both {

        @Option(names = "--address")
        private String address;

        @Option(names = "--idle", converter = IdleConverter.class)
        private IdleStrategy idle = IdleStrategy.ADAPTIVE;

        /** Returns the address, null when none is given. */
        String address() {
            return address;
        }

        IdleStrategy idle() {
            return idle;
        }
    }

    /** What the calling half has. */
    static final class Client {

        @Spec(Spec.Target.MIXEE)
        private CommandSpec command;
        private int seconds = 5;
        private int threads = 1;

        @Option(names = "--seconds")
        void seconds(int value) {
            seconds = inRange("--seconds", value, MAX_SECONDS);
        }

        @Option(names = "--threads")
        void threads(int value) {
            threads = inRange("--threads", value, MAX_THREADS);
        }

        private int inRange(String name, int value, int high) {
            if (value < 1 || value > high) {
                throw new ParameterException(command.commandLine(), name + " must be 1 to " + high + ", not " + value);
            }
            return value;
        }

        int seconds() {
            return seconds;
        }

        int threads() {
            return threads;
        }
    }
}
