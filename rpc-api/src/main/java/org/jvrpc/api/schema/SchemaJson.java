package org.jvrpc.api.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The descriptor of a service as a file of its jar, {@code META-INF/jvrpc/org.acme.Orders.json}, which the processor
 * writes:
 *
 * <pre>
 * {
 *   "jvrpc": 1,
 *   "service": "org.acme.Orders",
 *   "fingerprint": "bb0fdb76a1e2a7fa",
 *   "objects": "0000000000000000",
 *   "methods": [
 *     ["find(long)org.acme.Order",
 *      "org.acme.Order{id:long,note@2:String?}"]
 *   ]
 * }
 * </pre>
 * A method is its signature in pieces, with one for each layout that it reaches. Equal services have equal texts.
 */
public final class SchemaJson {

    /** Where in a jar the descriptors are. */
    public static final String FOLDER = "META-INF/jvrpc/";
    private static final long VERSION = 1;

    private SchemaJson() {
    }

    /** Returns the text of a service. */
    public static String write(ServiceSchema service) {
        StringBuilder out = new StringBuilder("{\n  \"jvrpc\": ").append(VERSION)
                .append(",\n  \"service\": ").append(quote(service.name()))
                .append(",\n  \"fingerprint\": ").append(hash(service.fingerprint()))
                .append(",\n  \"objects\": ").append(hash(service.objects()))
                .append(",\n  \"methods\": [");
        String separator = "\n    [";
        for (MethodSchema method : service.methods()) {
            String begin = separator;
            for (String piece : method.pieces()) {
                out.append(begin).append(quote(piece));
                begin = ",\n     ";
            }
            out.append(']');
            separator = ",\n    [";
        }
        return out.append("\n  ]\n}\n").toString();
    }

    private static String hash(long value) {
        return String.format("\"%016x\"", value);
    }

    /**
     * Reads what {@link #write} wrote; members of other names are passed over.
     *
     * @throws IllegalArgumentException when it is no descriptor, or one of a newer kind
     */
    public static ServiceSchema read(String text) {
        if (!(new JsonReader(text).read() instanceof Map<?, ?> all)) {
            throw new IllegalArgumentException("not a JSON object");
        }
        if (!(all.get("jvrpc") instanceof Long version) || version != VERSION) {
            throw new IllegalArgumentException("not a descriptor of version " + VERSION + ": jvrpc="
                    + all.get("jvrpc"));
        }
        List<MethodSchema> methods = new ArrayList<>();
        for (Object method : list(all, "methods")) {
            if (!(method instanceof List<?> pieces)) {
                throw new IllegalArgumentException("a method that is no array");
            }
            methods.add(MethodSchema.parse(String.join(" ", pieces.stream().map(String::valueOf).toList())));
        }
        return new ServiceSchema(string(all, "service"), Long.parseUnsignedLong(string(all, "fingerprint"), 16),
                Long.parseUnsignedLong(string(all, "objects"), 16), methods);
    }

    private static List<?> list(Map<?, ?> all, String name) {
        if (all.get(name) instanceof List<?> list) {
            return list;
        }
        throw new IllegalArgumentException("no array \"" + name + "\"");
    }

    private static String string(Map<?, ?> all, String name) {
        if (all.get(name) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("no string \"" + name + "\"");
    }

    /** Returns a text as a JSON string. */
    public static String quote(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
