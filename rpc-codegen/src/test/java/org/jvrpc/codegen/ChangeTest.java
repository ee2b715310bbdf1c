package org.jvrpc.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.jvrpc.api.schema.Agreement;
import org.jvrpc.api.schema.Finding;
import org.jvrpc.api.schema.Layout;
import org.jvrpc.api.schema.SchemaDiff;
import org.jvrpc.api.schema.ServiceSchema;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.codegen.RandomSchema.Edit;

/**
 * What the comparison of two versions says is what their codecs do, for versions by chance: where it finds no
 * difference, each side reads what the other wrote and has all components that both know.
 */
class ChangeTest {

    private static final int SEEDS = Integer.getInteger("jvrpc.seeds", 8);

    static LongStream seeds() {
        return Long.getLong("jvrpc.seed") != null ? LongStream.of(Long.getLong("jvrpc.seed"))
                : new Random().longs(SEEDS);
    }

    /** A compiled version. */
    private static final class Compiled extends ClassLoader {

        private final Map<String, byte[]> classes;
        final ServiceSchema schema;

        Compiled(RandomSchema source) throws ReflectiveOperationException {
            super(ChangeTest.class.getClassLoader());
            Compilation compilation = Compilation.process(source.sources());
            assertEquals(List.of(), compilation.messages(), source.toString());
            classes = compilation.classes();
            schema = ServiceSchema.of((ServiceDescriptor<?>) loadClass("p.SvcService").getConstructor().newInstance());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = classes.get(name);
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        }

        private Object codec(String name, Object... arguments) throws ReflectiveOperationException {
            for (Method method : loadClass("p.SvcCodec").getDeclaredMethods()) {
                if (method.getName().equals(name)) {
                    method.setAccessible(true);
                    return method.invoke(null, arguments);
                }
            }
            throw new AssertionError("no " + name);
        }

        /** Returns how many components of a record travel. */
        private int common(Class<?> type, Compiled other) throws ReflectiveOperationException {
            int peers = other.loadClass(type.getName()).getRecordComponents().length;
            return Math.min(type.getRecordComponents().length, peers);
        }

        /** Makes the value that a name stands for; components that another version does not have are left out. */
        Object make(Type type, String name, Compiled other) throws ReflectiveOperationException {
            int hash = Math.abs(name.hashCode() % 1000);
            if (type instanceof ParameterizedType generic) {
                Type[] arguments = generic.getActualTypeArguments();
                Object value = make(arguments[arguments.length - 1], name + "*", other);
                return generic.getRawType() == Optional.class ? Optional.of(value)
                        : generic.getRawType() == List.class ? List.of(value, value) : Map.of("k" + hash, value);
            }
            Class<?> raw = (Class<?>) type;
            if (raw.isRecord()) {
                return record(raw, name, other);
            }
            if (raw.isEnum()) {
                return raw.getEnumConstants()[hash % 2];
            }
            if (raw.isArray() && !raw.getComponentType().isPrimitive()) {
                Object array = java.lang.reflect.Array.newInstance(raw.getComponentType(), 1);
                java.lang.reflect.Array.set(array, 0, make(raw.getComponentType(), name + "*", other));
                return array;
            }
            return switch (raw.getSimpleName()) {
                case "int", "Integer" -> hash;
                case "long" -> hash * 0x100000001L;
                case "boolean" -> hash % 2 == 0;
                case "double" -> hash / 3.0;
                case "byte" -> (byte) hash;
                case "String" -> name;
                case "OptionalInt" -> OptionalInt.of(hash);
                case "byte[]" -> new byte[] {(byte) hash, 1};
                case "Duration" -> Duration.ofSeconds(hash);
                default -> throw new AssertionError(raw);
            };
        }

        private Object record(Class<?> type, String name, Compiled other) throws ReflectiveOperationException {
            RecordComponent[] components = type.getRecordComponents();
            int common = common(type, other);
            Object[] values = new Object[components.length];
            for (int i = 0; i < values.length; i++) {
                values[i] = i < common
                        ? make(components[i].getGenericType(), name + "." + components[i].getName(), other)
                        : absent(components[i].getType());
            }
            return type.getDeclaredConstructors()[0].newInstance(values);
        }

        private static Object absent(Class<?> type) {
            return switch (type.getSimpleName()) {
                case "int" -> 0;
                case "long" -> 0L;
                case "boolean" -> false;
                case "double" -> 0.0;
                case "byte" -> (byte) 0;
                case "Optional" -> Optional.empty();
                case "OptionalInt" -> OptionalInt.empty();
                default -> null;
            };
        }
    }

    /** Returns a value as text, in which arrays are told by what is in them. */
    private static String text(Object value) throws ReflectiveOperationException {
        if (value instanceof Record record) {
            StringBuilder text = new StringBuilder(record.getClass().getSimpleName()).append('(');
            for (RecordComponent component : record.getClass().getRecordComponents()) {
                Method accessor = component.getAccessor();
                accessor.setAccessible(true);
                text.append(component.getName()).append('=').append(text(accessor.invoke(record))).append(' ');
            }
            return text.append(')').toString();
        }
        if (value instanceof byte[] bytes) {
            return Arrays.toString(bytes);
        }
        Stream<?> parts = value instanceof Object[] array ? Stream.of(array)
                : value instanceof List<?> list ? list.stream()
                : value instanceof Map<?, ?> map ? map.values().stream()
                : value instanceof Optional<?> optional ? optional.stream() : null;
        if (parts == null) {
            return Objects.toString(value);
        }
        StringBuilder text = new StringBuilder("[");
        for (Object part : parts.toList()) {
            text.append(text(part)).append(' ');
        }
        return text.append(']').toString();
    }

    /** A codec that knows how many components travel. */
    private record Fields(List<Integer> counts) implements ObjectCodec {

        @Override
        public void write(WireWriter out, Object graph) {
            throw new AssertionError();
        }

        @Override
        public Object read(WireReader in) {
            throw new AssertionError();
        }

        @Override
        public int fields(int layout) {
            return counts.get(layout);
        }
    }

    /** What the client's side counts, of what the server tells it. */
    private static Fields clientFields(ServiceSchema client, Agreement agreement) {
        return new Fields(client.growing().stream().map(Layout::name)
                .map(name -> agreement.shorter().getOrDefault(name, Integer.MAX_VALUE)).toList());
    }

    private static byte[] written(Compiled side, Object value, ObjectCodec objects)
            throws ReflectiveOperationException {
        WireWriter out = new WireWriter();
        ByteBuffer memory = ByteBuffer.allocateDirect(1 << 20);
        out.reset(memory, 0, memory.capacity(), null, objects);
        side.codec("writeR0", out, value);
        byte[] bytes = new byte[out.length()];
        memory.get(0, bytes);
        return bytes;
    }

    private static void carries(Compiled from, ObjectCodec fromFields, Compiled to, ObjectCodec toFields)
            throws ReflectiveOperationException {
        Class<?> type = from.loadClass("p.Svc$R0");
        byte[] bytes = written(from, from.make(type, "v", from), fromFields);
        WireReader in = new WireReader();
        ByteBuffer memory = ByteBuffer.allocateDirect(Math.max(1, bytes.length));
        memory.put(0, bytes);
        in.reset(memory, 0, bytes.length, toFields);
        Object came = to.codec("readR0", in);
        assertEquals(text(to.make(to.loadClass("p.Svc$R0"), "v", from)), text(came));
        assertEquals(0, in.remaining());
    }

    private static void agree(Compiled client, Compiled server) throws ReflectiveOperationException {
        Agreement agreement = Agreement.of(client.schema, server.schema);
        assertEquals(0, agreement.methods().get(0).index(), () -> agreement.methods().get(0).reason());
        Fields clients = clientFields(client.schema, agreement);
        Fields servers = new Fields(agreement.fields());
        carries(client, clients, server, servers);
        carries(server, servers, client, clients);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void versionsThatAgreeReadEachOther(long seed) throws ReflectiveOperationException {
        Random random = new Random(seed);
        RandomSchema base = RandomSchema.random(random);
        RandomSchema left = base.copy();
        RandomSchema right = base.copy();
        List<Edit> compatible = Stream.of(Edit.values()).filter(edit -> edit.compatible).toList();
        for (int i = 0; i < 6; i++) {
            left.edit(compatible.get(random.nextInt(compatible.size())), random);
        }
        try {
            Compiled old = new Compiled(base);
            Compiled changed = new Compiled(left);
            assertEquals(List.of(), SchemaDiff.of(old.schema, changed.schema).stream()
                    .filter(finding -> finding.effect().breaks()).toList());
            agree(old, changed);
            agree(changed, old);
            agree(changed, changed);
            differs(old, right, random);
        } catch (AssertionError | ReflectiveOperationException e) {
            throw new AssertionError("seed=" + seed + " (-Djvrpc.seed)\n" + base + left, e);
        }
    }

    /** Changes a version in a way that breaks it: the comparison says so, in both directions. */
    private static void differs(Compiled old, RandomSchema changed, Random random) throws ReflectiveOperationException {
        List<Edit> breaking = Stream.of(Edit.values()).filter(edit -> !edit.compatible).toList();
        Edit edit = breaking.get(random.nextInt(breaking.size()));
        while (!changed.edit(edit, random)) {
            edit = breaking.get(random.nextInt(breaking.size()));
        }
        Compiled other = new Compiled(changed);
        List<Finding> findings = SchemaDiff.of(old.schema, other.schema);
        assertEquals(Finding.Effect.BREAKS_OLD_PEERS, findings.get(0).effect(), edit + "\n" + changed);
        assertEquals(-1, Agreement.of(old.schema, other.schema).methods().get(0).index(), edit + "\n" + changed);
        assertEquals(-1, Agreement.of(other.schema, old.schema).methods().get(0).index(), edit + "\n" + changed);
    }

    @Test
    void aWriterThatIgnoresWhatTravelsIsFound() throws ReflectiveOperationException {
        RandomSchema base = RandomSchema.random(new Random(1));
        RandomSchema more = base.copy();
        more.types.get(0).parts.add(new RandomSchema.Part("n", "int", 9));
        Compiled old = new Compiled(base);
        Compiled changed = new Compiled(more);
        byte[] whole = written(changed, changed.make(changed.loadClass("p.Svc$R0"), "v", changed), null);
        Agreement agreement = Agreement.of(changed.schema, old.schema);
        byte[] cut = written(changed, changed.make(changed.loadClass("p.Svc$R0"), "v", changed),
                clientFields(changed.schema, agreement));
        assertEquals(whole.length - 4, cut.length);
    }
}
