package org.acme;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Calls {@link Shapes} in another process. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class ShapesStub implements Shapes {

    private final RpcChannel channel;

    ShapesStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public CompletableFuture<Shapes.Drawing[]> all(URI where) {
        ClientCall call = channel.begin(ShapesService.ALL);
        try {
            call.arguments().writeObject(
                    ShapesCodec.nonNull(where, "where is null: org.acme.Shapes/all"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call.invokeAsync(ShapesAsyncStub.ALL);
    }

    @Override
    public Object any(Object anything) {
        ClientCall call = channel.begin(ShapesService.ANY);
        try {
            call.arguments().writeObject(
                    ShapesCodec.nonNull(anything, "anything is null: org.acme.Shapes/any"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return in.readObject(Object.class);
        } finally {
            call.close();
        }
    }

    @Override
    public Shapes.Shape biggest(List<Shapes.Shape> shapes) {
        ClientCall call = channel.begin(ShapesService.BIGGEST);
        try {
            ShapesCodec.writeListOfShape(call.arguments(),
                    ShapesCodec.nonNull(shapes, "shapes is null: org.acme.Shapes/biggest"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return ShapesCodec.readNullableShape(in);
        } finally {
            call.close();
        }
    }

    @Override
    public Shapes.Drawing draw(Shapes.Drawing drawing) {
        ClientCall call = channel.begin(ShapesService.DRAW);
        try {
            call.arguments().writeObject(
                    ShapesCodec.nonNull(drawing, "drawing is null: org.acme.Shapes/draw"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return in.readObject(Shapes.Drawing.class);
        } finally {
            call.close();
        }
    }

    @Override
    public Shapes.Extension extension(Shapes.Extension extension) {
        ClientCall call = channel.begin(ShapesService.EXTENSION);
        try {
            call.arguments().writeObject(
                    ShapesCodec.nonNull(extension, "extension is null: org.acme.Shapes/extension"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return in.readObject(Shapes.Extension.class);
        } finally {
            call.close();
        }
    }

    @Override
    public TreeMap<String, Shapes.Drawing> index(ArrayList<Shapes.Shape> shapes,
            SortedMap<Long, Shapes.Point> points) {
        ClientCall call = channel.begin(ShapesService.INDEX);
        try {
            WireWriter out = call.arguments();
            out.writeObject(ShapesCodec.nonNull(shapes, "shapes is null: org.acme.Shapes/index"));
            out.writeObject(ShapesCodec.nonNull(points, "points is null: org.acme.Shapes/index"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return ShapesCodec.readTreeMapOfStringAndDrawing(in);
        } finally {
            call.close();
        }
    }
}
