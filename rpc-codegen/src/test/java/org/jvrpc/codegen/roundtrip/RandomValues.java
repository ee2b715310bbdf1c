package org.jvrpc.codegen.roundtrip;

import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedTypeVariable;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Random values of reflected types; null where {@link Nullable} or a box allows it. */
final class RandomValues {

    private final Random random;
    private Map<TypeVariable<?>, AnnotatedType> variables = new HashMap<>();
    private int depth;

    RandomValues(Random random) {
        this.random = random;
    }

    /** Binds the type variables of an inherited interface. */
    void bind(TypeVariable<?> variable, AnnotatedType value) {
        variables.put(variable, value);
    }

    Object of(AnnotatedType type) {
        boolean boxed = type.getType() instanceof Class<?> c && isBox(c);
        boolean nullable = type.isAnnotationPresent(Nullable.class) || boxed;
        boolean deep = depth > 6;
        if (nullable && (deep || random.nextInt(3) == 0)) {
            return null;
        }
        depth++;
        try {
            return value(type);
        } finally {
            depth--;
        }
    }

    private static boolean isBox(Class<?> type) {
        return type == Boolean.class || type == Character.class
                || Number.class.isAssignableFrom(type) && type.getPackageName().equals("java.lang");
    }

    private Object value(AnnotatedType type) {
        if (type.getType() == Void.class) {
            return null;
        }
        if (type instanceof AnnotatedArrayType array) {
            return array(array.getAnnotatedGenericComponentType());
        }
        if (type instanceof AnnotatedParameterizedType generic) {
            return generic((Class<?>) ((ParameterizedType) generic.getType()).getRawType(),
                    generic.getAnnotatedActualTypeArguments());
        }
        if (type instanceof AnnotatedWildcardType wildcard) {
            return of(wildcard.getAnnotatedUpperBounds()[0]);
        }
        if (type instanceof AnnotatedTypeVariable variable) {
            return of(variables.get((TypeVariable<?>) variable.getType()));
        }
        return plain((Class<?>) type.getType());
    }

    private int size() {
        return depth > 5 ? 0 : random.nextInt(5);
    }

    private Object array(AnnotatedType component) {
        int size = size();
        Object array = Array.newInstance(raw(component.getType()), size);
        for (int i = 0; i < size; i++) {
            Array.set(array, i, of(component));
        }
        return array;
    }

    private static Class<?> raw(Type type) {
        if (type instanceof ParameterizedType generic) {
            return (Class<?>) generic.getRawType();
        }
        return type instanceof Class<?> plain ? plain : Object[].class;
    }

    private Object generic(Class<?> raw, AnnotatedType[] arguments) {
        if (raw == Optional.class) {
            return depth > 6 || random.nextBoolean() ? Optional.empty() : Optional.ofNullable(of(arguments[0]));
        }
        if (raw == CompletableFuture.class) {
            return CompletableFuture.completedFuture(of(arguments[0]));
        }
        if (raw == Map.class) {
            Map<Object, Object> map = new LinkedHashMap<>();
            for (int i = size(); i > 0; i--) {
                map.put(of(arguments[0]), of(arguments[1]));
            }
            return map;
        }
        if (Collection.class.isAssignableFrom(raw)) {
            Collection<Object> values = raw == Set.class ? new LinkedHashSet<>()
                    : random.nextBoolean() ? new ArrayList<>() : new LinkedList<>();
            for (int i = size(); i > 0; i--) {
                values.add(of(arguments[0]));
            }
            return values;
        }
        return record(raw, arguments);
    }

    private Object record(Class<?> type, AnnotatedType[] arguments) {
        Map<TypeVariable<?>, AnnotatedType> outer = variables;
        Map<TypeVariable<?>, AnnotatedType> inner = new HashMap<>();
        for (int i = 0; i < arguments.length; i++) {
            inner.put(type.getTypeParameters()[i], arguments[i]);
        }
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            AnnotatedType component = components[i].getAnnotatedType();
            boolean variable = component instanceof AnnotatedTypeVariable;
            values[i] = variable ? of(inner.get((TypeVariable<?>) component.getType())) : of(component);
            types[i] = components[i].getType();
        }
        variables = outer;
        return construct(type, types, values);
    }

    private static Object construct(Class<?> type, Class<?>[] types, Object[] values) {
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private Object plain(Class<?> type) {
        if (type.isEnum()) {
            return type.getEnumConstants()[random.nextInt(type.getEnumConstants().length)];
        }
        if (type.isRecord()) {
            return record(type, new AnnotatedType[0]);
        }
        if (type == Everything.Shape.class) {
            return random.nextBoolean() ? new Everything.Circle(random.nextLong()) : new Everything.Square(string());
        }
        if (type == Everything.Graph.class) {
            return new Everything.Graph(string(), new Everything.Graph(string(), null));
        }
        Object basic = jdk(type);
        return basic != null ? basic : primitive(type);
    }

    private Object jdk(Class<?> type) {
        if (type == String.class) {
            return string();
        }
        if (type == ByteBuffer.class) {
            return ByteBuffer.wrap(bytes(random.nextInt(40)));
        }
        if (type == Duration.class) {
            return Duration.ofSeconds(random.nextInt(), random.nextInt(1_000_000_000));
        }
        if (type == Instant.class) {
            return Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000));
        }
        if (type == UUID.class) {
            return new UUID(random.nextLong(), random.nextLong());
        }
        if (type == BigInteger.class) {
            return new BigInteger(random.nextInt(200), random).multiply(BigInteger.valueOf(random.nextInt(3) - 1));
        }
        if (type == BigDecimal.class) {
            return new BigDecimal(new BigInteger(random.nextInt(200), random), random.nextInt(40) - 20);
        }
        return optional(type);
    }

    private Object optional(Class<?> type) {
        boolean present = random.nextBoolean();
        if (type == OptionalInt.class) {
            return present ? OptionalInt.of(random.nextInt()) : OptionalInt.empty();
        }
        if (type == OptionalLong.class) {
            return present ? OptionalLong.of(random.nextLong()) : OptionalLong.empty();
        }
        if (type == OptionalDouble.class) {
            return present ? OptionalDouble.of(random.nextDouble()) : OptionalDouble.empty();
        }
        return null;
    }

    private Object primitive(Class<?> type) {
        return switch (type.getSimpleName()) {
            case "boolean", "Boolean" -> random.nextBoolean();
            case "byte", "Byte" -> (byte) random.nextInt();
            case "short", "Short" -> (short) random.nextInt();
            case "char", "Character" -> (char) random.nextInt();
            case "int", "Integer" -> random.nextInt();
            case "long", "Long" -> random.nextLong();
            case "float", "Float" -> random.nextFloat();
            case "double", "Double" -> random.nextDouble();
            default -> throw new AssertionError("no random value of " + type);
        };
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private String string() {
        int limit = switch (random.nextInt(3)) {
            case 0 -> 0x80;
            case 1 -> 0x100;
            default -> 0x10000;
        };
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
            text.append((char) random.nextInt(limit));
        }
        return text.toString();
    }

    /** Returns a list that is equal when two values are, arrays by content. */
    static Object comparable(Object value) {
        if (value == null) {
            return "null";
        }
        if (value.getClass().isArray()) {
            List<Object> elements = new ArrayList<>();
            for (int i = 0; i < Array.getLength(value); i++) {
                elements.add(comparable(Array.get(value, i)));
            }
            return elements;
        }
        if (value instanceof Set<?> set) {
            return new LinkedHashSet<>(set.stream().map(RandomValues::comparable).toList());
        }
        if (value instanceof Collection<?> collection) {
            return collection.stream().map(RandomValues::comparable).toList();
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> List.of(comparable(entry.getKey()), comparable(entry.getValue())))
                    .toList();
        }
        return value.getClass().isRecord() ? components(value) : value;
    }

    private static Object components(Object value) {
        List<Object> parts = new ArrayList<>(List.of(value.getClass()));
        for (RecordComponent component : value.getClass().getRecordComponents()) {
            try {
                parts.add(comparable(component.getAccessor().invoke(value)));
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }
        return parts;
    }
}
