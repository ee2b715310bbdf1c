package org.jvrpc.codegen;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.jvrpc.codegen.Compilation.Source;

/** A service of records and enums by chance, which can be changed, and its sources. One thread. */
final class RandomSchema {

    private static final List<String> TYPES = List.of("int", "long", "boolean", "double", "byte", "String", "Integer",
            "Optional<String>", "OptionalInt", "byte[]", "List<String>", "Map<String,Integer>", "Duration");

    final List<Type> types = new ArrayList<>();

    /** A record, of which the first is that of the service's method; or an enum. */
    static final class Type {
        final String name;
        final boolean isEnum;
        final List<Part> parts = new ArrayList<>();

        Type(String name, boolean isEnum) {
            this.name = name;
            this.isEnum = isEnum;
        }

        int since() {
            return parts.isEmpty() ? 0 : parts.get(parts.size() - 1).since;
        }
    }

    /** A component or a constant. */
    record Part(String name, String type, int since) {
    }

    /** Ways to change a type. */
    enum Edit {
        APPEND_SINCE(true), APPEND_CONSTANT(true), NOTHING(true),
        APPEND_UNMARKED(false), INSERT(false), RETYPE(false), RENAME(false), SWAP_CONSTANTS(false), DROP_FIRST(false);

        final boolean compatible;

        Edit(boolean compatible) {
            this.compatible = compatible;
        }
    }

    static RandomSchema random(Random random) {
        RandomSchema schema = new RandomSchema();
        int records = 2 + random.nextInt(4);
        for (int i = 0; i < records; i++) {
            schema.types.add(new Type("R" + i, false));
        }
        int enums = 1 + random.nextInt(2);
        for (int i = 0; i < enums; i++) {
            Type type = new Type("E" + i, true);
            for (int j = 0; j < 2 + random.nextInt(3); j++) {
                type.parts.add(new Part("C" + j, "", 0));
            }
            schema.types.add(type);
        }
        for (int i = 0; i < records; i++) {
            Type type = schema.types.get(i);
            for (int j = random.nextInt(4); j > 0; j--) {
                type.parts.add(new Part("p" + type.parts.size(), schema.type(i, random), 0));
            }
            if (i + 1 < records) { // so that the method reaches it
                type.parts.add(new Part("next", wrapped("R" + (i + 1), random), 0));
            } else {
                schema.types.stream().filter(other -> other.isEnum).forEach(other ->
                        type.parts.add(new Part("e" + other.name, wrapped(other.name, random), 0)));
            }
            if (random.nextInt(3) == 0) {
                type.parts.add(new Part("s", schema.type(i, random), 1));
            }
        }
        return schema;
    }

    private static String wrapped(String name, Random random) {
        return List.of("%s", "List<%s>", "Optional<%s>", "Map<String,%s>", "%s[]").get(random.nextInt(5))
                .formatted(name);
    }

    /** Returns a type that a record may have: no record before it, so that there are no circles. */
    private String type(int record, Random random) {
        if (random.nextInt(3) > 0) {
            return TYPES.get(random.nextInt(TYPES.size()));
        }
        List<Type> later = types.subList(record + 1, types.size());
        return later.isEmpty() ? "int" : wrapped(later.get(random.nextInt(later.size())).name, random);
    }

    RandomSchema copy() {
        RandomSchema copy = new RandomSchema();
        for (Type type : types) {
            Type other = new Type(type.name, type.isEnum);
            other.parts.addAll(type.parts);
            copy.types.add(other);
        }
        return copy;
    }

    /** Changes a type in a way that fits it; returns false when it does not. */
    boolean edit(Edit edit, Random random) {
        int at = random.nextInt(types.size());
        Type type = types.get(at);
        List<Part> parts = type.parts;
        if (edit == Edit.NOTHING) {
            return true;
        }
        if (type.isEnum != (edit == Edit.APPEND_CONSTANT || edit == Edit.SWAP_CONSTANTS)) {
            return false;
        }
        int one = parts.isEmpty() ? 0 : random.nextInt(parts.size());
        switch (edit) {
            case APPEND_SINCE -> parts.add(new Part("n" + parts.size(), type(at, random), type.since() + 1));
            case APPEND_CONSTANT -> parts.add(new Part("N" + parts.size(), "", 0));
            case APPEND_UNMARKED -> {
                if (type.since() > 0) {
                    return false;
                }
                parts.add(new Part("u" + parts.size(), "int", 0));
            }
            case INSERT -> parts.add(0, new Part("i" + parts.size(), "int", 0));
            case RETYPE -> {
                if (parts.isEmpty() || !parts.get(one).type.equals("int")) {
                    return false;
                }
                parts.set(one, new Part(parts.get(one).name, "long", parts.get(one).since));
            }
            case RENAME -> {
                if (parts.isEmpty()) {
                    return false;
                }
                parts.set(one, new Part("renamed", parts.get(one).type, parts.get(one).since));
            }
            case SWAP_CONSTANTS -> parts.add(0, parts.remove(1));
            case DROP_FIRST -> {
                if (parts.size() < 2 || parts.get(0).type.contains("R") || parts.get(0).type.contains("E")
                        || parts.get(1).since > 0) {
                    return false;
                }
                parts.remove(0);
            }
            default -> throw new AssertionError(edit);
        }
        return true;
    }

    /** Returns the sources of the service and its types. */
    List<Source> sources() {
        StringBuilder text = new StringBuilder("""
                package p;

                import java.time.Duration;
                import java.util.*;
                import org.jvrpc.api.*;

                @RpcService
                public interface Svc {

                    R0 call(R0 value);
                """);
        for (Type type : types) {
            text.append("\n    ").append(type.isEnum ? "enum " : "record ").append(type.name)
                    .append(type.isEnum ? " { " : "(")
                    .append(type.parts.stream().map(part -> type.isEnum ? part.name : component(part))
                            .collect(Collectors.joining(", ")))
                    .append(type.isEnum ? " }\n" : ") { }\n");
        }
        return List.of(new Source("p/Svc.java", text.append("}\n").toString()));
    }

    private static String component(Part part) {
        return (part.since > 0 ? "@Since(" + part.since + ") " : "") + part.type + " " + part.name;
    }

    @Override
    public String toString() {
        return sources().get(0).text();
    }
}
