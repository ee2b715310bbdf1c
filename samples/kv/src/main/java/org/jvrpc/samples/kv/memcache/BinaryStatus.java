package org.jvrpc.samples.kv.memcache;

/** Status codes of the binary protocol, and what memcached says with them. */
enum BinaryStatus {
    NOT_FOUND(1, "Not found"),
    EXISTS(2, "Data exists for key."),
    TOO_LARGE(3, "Too large."),
    INVALID(4, "Invalid arguments"),
    NOT_STORED(5, "Not stored."),
    NON_NUMERIC(6, "Non-numeric server-side value for incr or decr"),
    UNKNOWN_COMMAND(0x81, "Unknown command"),
    OUT_OF_MEMORY(0x82, "Out of memory");

    final int code;
    final byte[] text;

    BinaryStatus(int code, String text) {
        this.code = code;
        this.text = Ascii.bytes(text);
    }
}
