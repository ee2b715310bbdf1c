package org.jvrpc.benchmarks.harness;

/**
 * What one call carries. Written in commands as {@code null}, {@code echo:64}, {@code record},
 * {@code lookup:2}.
 *
 * @param kind of call
 * @param size payload bytes each way of ECHO; place of LOOKUP; else 0
 */
public record Workload(Kind kind, int size) {

    /** Kinds of call. */
    public enum Kind {
        /** No arguments, no result. */
        NULL,
        /** Bytes there, the same bytes back. */
        ECHO,
        /** A record there, a long back. */
        RECORD,
        /** A key there, its value back. */
        LOOKUP
    }

    /** No arguments, no result. */
    public static final Workload NULL = new Workload(Kind.NULL, 0);
    /** A record there, a long back. */
    public static final Workload RECORD = new Workload(Kind.RECORD, 0);

    /** Bytes there and back. */
    public static Workload echo(int size) {
        return new Workload(Kind.ECHO, size);
    }

    /** A key there, its value back. @param place where the key lies; 0 for anywhere */
    public static Workload lookup(int place) {
        return new Workload(Kind.LOOKUP, place);
    }

    /** Reads the text form. */
    public static Workload parse(String text) {
        int colon = text.indexOf(':');
        String kind = colon < 0 ? text : text.substring(0, colon);
        return switch (kind) {
            case "null" -> NULL;
            case "record" -> RECORD;
            case "lookup" -> lookup(Integer.parseInt(text.substring(colon + 1)));
            case "echo" -> echo(Integer.parseInt(text.substring(colon + 1)));
            default -> throw new IllegalArgumentException("unknown workload=" + text);
        };
    }

    @Override
    public String toString() {
        return switch (kind) {
            case NULL -> "null";
            case RECORD -> "record";
            case ECHO -> "echo:" + size;
            case LOOKUP -> "lookup:" + size;
        };
    }

    /** Says that a contender cannot carry this. */
    public UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException("workload=" + this);
    }
}
