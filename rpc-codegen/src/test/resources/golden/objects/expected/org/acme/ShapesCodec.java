package org.acme;

import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Layouts of what {@link Shapes} takes and returns. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class ShapesCodec {

    private ShapesCodec() {
    }

    @SuppressWarnings("unchecked")
    static ArrayList<Shapes.Shape> readArrayListOfShape(WireReader in) {
        return in.readObject(ArrayList.class);
    }

    static void writeDrawingArray(WireWriter out, Shapes.Drawing[] value) {
        out.writeCount(value.length);
        for (Shapes.Drawing element : value) {
            out.writeObject(nonNull(element, "element of Shapes.Drawing[] is null"));
        }
    }

    static Shapes.Drawing[] readDrawingArray(WireReader in) {
        Shapes.Drawing[] value = new Shapes.Drawing[in.readCount(1)];
        for (int i = 0; i < value.length; i++) {
            value[i] = in.readObject(Shapes.Drawing.class);
        }
        return value;
    }

    static void writeListOfShape(WireWriter out, List<Shapes.Shape> value) {
        List<Shapes.Shape> list = value instanceof RandomAccess ? value : new ArrayList<>(value);
        int count = list.size();
        out.writeCount(count);
        for (int i = 0; i < count; i++) {
            out.writeObject(nonNull(list.get(i), "element of List<Shapes.Shape> is null"));
        }
    }

    static List<Shapes.Shape> readListOfShape(WireReader in) {
        int count = in.readCount(1);
        List<Shapes.Shape> value = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            value.add(in.readObject(Shapes.Shape.class));
        }
        return value;
    }

    static void writeNullableShape(WireWriter out, Shapes.Shape value) {
        if (out.writePresence(value != null)) {
            out.writeObject(value);
        }
    }

    static Shapes.Shape readNullableShape(WireReader in) {
        return in.readPresence() ? in.readObject(Shapes.Shape.class) : null;
    }

    @SuppressWarnings("unchecked")
    static SortedMap<Long, Shapes.Point> readSortedMapOfLongAndPoint(WireReader in) {
        return in.readObject(SortedMap.class);
    }

    @SuppressWarnings("unchecked")
    static TreeMap<String, Shapes.Drawing> readTreeMapOfStringAndDrawing(WireReader in) {
        return in.readObject(TreeMap.class);
    }

    static <T> T nonNull(T value, String message) {
        if (value == null) {
            throw new RpcException(Status.INVALID_ARGUMENT, message);
        }
        return value;
    }

    static <T> T returned(T value, String message) {
        if (value == null) {
            throw new RpcException(Status.INTERNAL, message);
        }
        return value;
    }

    static Throwable unwrapped(Throwable thrown) {
        Throwable cause = thrown;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
