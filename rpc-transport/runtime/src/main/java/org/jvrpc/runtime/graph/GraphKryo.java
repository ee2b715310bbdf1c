package org.jvrpc.runtime.graph;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.serializers.DefaultArraySerializers.BooleanArraySerializer;
import com.esotericsoftware.kryo.serializers.DefaultArraySerializers.ObjectArraySerializer;
import com.esotericsoftware.kryo.serializers.DefaultArraySerializers.StringArraySerializer;
import com.esotericsoftware.kryo.serializers.MapSerializer;
import com.esotericsoftware.kryo.util.DefaultInstantiatorStrategy;
import java.util.List;
import java.util.Map;
import org.objenesis.strategy.StdInstantiatorStrategy;

/**
 * Kryo for the classes of one service, whose serializers have the {@link GraphInput} agree before they allocate what a
 * length says. Lengths of primitive arrays, strings and collections the input sees by itself; here are those that it
 * cannot tell from other numbers. The layout on the wire is Kryo's own. One thread.
 */
final class GraphKryo extends Kryo {

    /** The deepest graph, in objects within objects: what a thread's default stack holds. */
    static final int MAX_DEPTH = 1000;

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
        return standard.getClass() == MapSerializer.class ? new Maps() : standard;
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
