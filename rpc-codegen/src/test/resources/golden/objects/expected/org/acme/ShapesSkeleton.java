package org.acme;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.wire.WireReader;

/** Calls an implementation of {@link Shapes} from bytes. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class ShapesSkeleton implements Skeleton {

    private static final ServerCall.ResultWriter<Shapes.Drawing[]> ALL = ShapesSkeleton::writeAll;

    private final Shapes implementation;

    ShapesSkeleton(Shapes implementation) {
        this.implementation = implementation;
    }

    @Override
    public void dispatch(int index, ServerCall call) {
        switch (index) {
            case 0 -> all(call);
            case 1 -> any(call);
            case 2 -> biggest(call);
            case 3 -> draw(call);
            case 4 -> extension(call);
            case 5 -> index(call);
            default -> throw new RpcException(
                    Status.UNIMPLEMENTED, "org.acme.Shapes has no method index=" + index);
        }
    }

    private void all(ServerCall call) {
        WireReader in = call.arguments();
        URI where = in.readObject(URI.class);
        CompletableFuture<Shapes.Drawing[]> result = implementation.all(where);
        call.completeLater(result, ALL);
    }

    private void any(ServerCall call) {
        WireReader in = call.arguments();
        Object anything = in.readObject(Object.class);
        Object result = implementation.any(anything);
        call.result().writeObject(
                ShapesCodec.returned(result, "org.acme.Shapes/any returned null"));
    }

    private void biggest(ServerCall call) {
        WireReader in = call.arguments();
        List<Shapes.Shape> shapes = ShapesCodec.readListOfShape(in);
        Shapes.Shape result = implementation.biggest(shapes);
        ShapesCodec.writeNullableShape(call.result(), result);
    }

    private void draw(ServerCall call) {
        WireReader in = call.arguments();
        Shapes.Drawing drawing = in.readObject(Shapes.Drawing.class);
        Shapes.Drawing result = implementation.draw(drawing);
        call.result().writeObject(
                ShapesCodec.returned(result, "org.acme.Shapes/draw returned null"));
    }

    private void extension(ServerCall call) {
        WireReader in = call.arguments();
        Shapes.Extension extension = in.readObject(Shapes.Extension.class);
        Shapes.Extension result = implementation.extension(extension);
        call.result().writeObject(
                ShapesCodec.returned(result, "org.acme.Shapes/extension returned null"));
    }

    private void index(ServerCall call) {
        WireReader in = call.arguments();
        ArrayList<Shapes.Shape> shapes = ShapesCodec.readArrayListOfShape(in);
        SortedMap<Long, Shapes.Point> points = ShapesCodec.readSortedMapOfLongAndPoint(in);
        TreeMap<String, Shapes.Drawing> result = implementation.index(shapes, points);
        call.result().writeObject(
                ShapesCodec.returned(result, "org.acme.Shapes/index returned null"));
    }

    private static void writeAll(ServerCall call, Shapes.Drawing[] result, Throwable thrown)
            throws Throwable {
        if (thrown != null) {
            throw ShapesCodec.unwrapped(thrown);
        }
        ShapesCodec.writeDrawingArray(call.result(),
                ShapesCodec.returned(result, "org.acme.Shapes/all returned null"));
    }
}
