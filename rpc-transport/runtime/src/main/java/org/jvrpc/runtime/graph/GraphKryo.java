package org.jvrpc.runtime.graph;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.serializers.DefaultArraySerializers.BooleanArraySerializer;
import com.esotericsoftware.kryo.serializers.DefaultArraySerializers.ObjectArraySerializer;
import com.esotericsoftware.kryo.serializers.DefaultArraySerializers.StringArraySerializer;
import com.esotericsoftware.kryo.serializers.FieldSerializer;
import com.esotericsoftware.kryo.serializers.MapSerializer;
import com.esotericsoftware.kryo.util.DefaultInstantiatorStrategy;
import com.esotericsoftware.kryo.util.Util;
import java.util.List;
import java.util.Map;
import org.objenesis.strategy.StdInstantiatorStrategy;

/**
 * Kryo for the classes of one service, whose serializers have the {@link GraphInput} agree before they allocate what a
 * length says. Lengths of primitive arrays, strings and collections the input sees by itself; here are those that it
 * cannot tell from other numbers. The layout on the wire is Kryo's own. One thread.
 *
 * <p>A field gets a value of its type, or the graph is refused. Kryo itself stores what the bytes say: without a
 * check where {@code Unsafe} is to be had, and an object of another class there breaks the JVM later.
 */
final class GraphKryo extends Kryo {

    /** The deepest graph, in objects within objects: what a thread's default stack holds. */
    static final int MAX_DEPTH = 1000;

    /** What the field may hold whose value is read next; null when it is no field's. */
    private Class<?> fieldType;

    GraphKryo(List<Class<?>> classes) {
        setRegistrationRequired(true);
        setReferences(true);
        setMaxDepth(MAX_DEPTH);
        setInstantiatorStrategy(new DefaultInstantiatorStrategy(new StdInstantiatorStrategy()));
        classes.forEach(this::register);
    }

    @Override
    @SuppressWarnings("rawtypes") // as the overridden method's
    public Serializer getDefaultSerializer(Class type) {
        Serializer standard = super.getDefaultSerializer(type);
        if (standard.getClass() == ObjectArraySerializer.class) {
            return new ObjectArrays(this, type);
        }
        if (standard.getClass() == StringArraySerializer.class) {
            return new StringArrays();
        }
        if (standard.getClass() == BooleanArraySerializer.class) {
            return new BooleanArrays();
        }
        if (standard instanceof FieldSerializer<?> fields) {
            return checked(type, fields);
        }
        return standard.getClass() == MapSerializer.class ? new Maps() : standard;
    }

    private FieldSerializer<?> checked(Class<?> type, FieldSerializer<?> serializer) {
        if (serializer.getClass() == FieldSerializer.class) {
            return new CheckedFields<>(this, type, serializer.getFieldSerializerConfig());
        }
        if (Util.unsafe) {
            throw new IllegalArgumentException(type.getName() + " has a " + serializer.getClass().getSimpleName()
                    + ", which stores into fields what is not of their types; start with -Dkryo.unsafe=false, or leave"
                    + " it out");
        }
        return serializer;
    }

    @Override
    @SuppressWarnings("rawtypes") // as the overridden method's
    public <T> T readObject(Input input, Class<T> type, Serializer serializer) {
        Class<?> expected = takeFieldType();
        return check(expected, super.readObject(input, type, serializer));
    }

    @Override
    @SuppressWarnings("rawtypes") // as the overridden method's
    public <T> T readObjectOrNull(Input input, Class<T> type, Serializer serializer) {
        Class<?> expected = takeFieldType();
        return check(expected, super.readObjectOrNull(input, type, serializer));
    }

    @Override
    public void reset() {
        fieldType = null;
        super.reset();
    }

    private Class<?> takeFieldType() {
        Class<?> type = fieldType;
        fieldType = null; // what the value consists of is no value of the field
        return type;
    }

    private static <T> T check(Class<?> expected, T value) {
        if (expected != null && value != null && !expected.isInstance(value)) {
            throw new KryoException("a field of type " + expected.getName() + " cannot hold a "
                    + value.getClass().getName());
        }
        return value;
    }

    /** Says of each field of references what it may hold before its value is read. */
    private static final class CheckedFields<T> extends FieldSerializer<T> {

        private final GraphKryo graphs;

        CheckedFields(GraphKryo kryo, Class<?> type, FieldSerializerConfig config) {
            super(kryo, type, config);
            this.graphs = kryo;
        }

        @Override
        public T read(Kryo kryo, Input input, Class<? extends T> type) {
            int variables = pushTypeVariables();
            T object = create(kryo, input, type);
            kryo.reference(object);
            for (CachedField field : getFields()) {
                Class<?> fieldType = field.getField().getType();
                graphs.fieldType = fieldType.isPrimitive() ? null : fieldType;
                field.read(input, object);
            }
            graphs.fieldType = null; // still there when the last value was null
            popTypeVariables(variables);
            return object;
        }
    }

    /** Claims the length that is read next, which is written one higher. */
    private static void claimNext(Input input) {
        int at = input.position();
        int length = input.readVarInt(true);
        input.setPosition(at);
        ((GraphInput) input).claim(length == 0 ? 0 : length - 1);
    }

    private static final class ObjectArrays extends ObjectArraySerializer {

        @SuppressWarnings("rawtypes") // as the constructor's
        ObjectArrays(Kryo kryo, Class type) {
            super(kryo, type);
        }

        @Override
        @SuppressWarnings("rawtypes") // as the overridden method's
        public Object[] read(Kryo kryo, Input input, Class type) {
            claimNext(input);
            return super.read(kryo, input, type);
        }
    }

    private static final class StringArrays extends StringArraySerializer {

        @Override
        @SuppressWarnings("rawtypes") // as the overridden method's
        public String[] read(Kryo kryo, Input input, Class type) {
            claimNext(input);
            return super.read(kryo, input, type);
        }
    }

    private static final class BooleanArrays extends BooleanArraySerializer {

        @Override
        @SuppressWarnings("rawtypes") // as the overridden method's
        public boolean[] read(Kryo kryo, Input input, Class type) {
            claimNext(input);
            return super.read(kryo, input, type);
        }
    }

    private static final class Maps extends MapSerializer<Map<Object, Object>> {

        @Override
        protected Map<Object, Object> create(
                Kryo kryo, Input input, Class<? extends Map<Object, Object>> type, int size) {
            ((GraphInput) input).claim(size);
            return super.create(kryo, input, type, size);
        }
    }
}
