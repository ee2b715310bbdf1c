package org.acme;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.wire.WireWriter;

/** Calls {@link Shapes} in another process without waiting. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class ShapesAsyncStub implements ShapesAsync {

    static final ResultReader<Shapes.Drawing[]> ALL = (in, thrown) -> ShapesCodec.readDrawingArray(in);
    static final ResultReader<Object> ANY = (in, thrown) -> in.readObject(Object.class);
    static final ResultReader<Shapes.Shape> BIGGEST = (in, thrown) -> ShapesCodec.readNullableShape(in);
    static final ResultReader<Shapes.Drawing> DRAW = (in, thrown) -> in.readObject(Shapes.Drawing.class);
    static final ResultReader<Shapes.Extension> EXTENSION = (in, thrown) -> in.readObject(Shapes.Extension.class);
    static final ResultReader<TreeMap<String, Shapes.Drawing>> INDEX = (in, thrown) ->
            ShapesCodec.readTreeMapOfStringAndDrawing(in);

    private final RpcChannel channel;

    ShapesAsyncStub(RpcChannel channel) {
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
        return call.invokeAsync(ALL);
    }

    @Override
    public CompletableFuture<Object> any(Object anything) {
        ClientCall call = channel.begin(ShapesService.ANY);
        try {
            call.arguments().writeObject(
                    ShapesCodec.nonNull(anything, "anything is null: org.acme.Shapes/any"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call.invokeAsync(ANY);
    }

    @Override
    public CompletableFuture<Shapes.Shape> biggest(List<Shapes.Shape> shapes) {
        ClientCall call = channel.begin(ShapesService.BIGGEST);
        try {
            ShapesCodec.writeListOfShape(call.arguments(),
                    ShapesCodec.nonNull(shapes, "shapes is null: org.acme.Shapes/biggest"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call.invokeAsync(BIGGEST);
    }

    @Override
    public CompletableFuture<Shapes.Drawing> draw(Shapes.Drawing drawing) {
        ClientCall call = channel.begin(ShapesService.DRAW);
        try {
            call.arguments().writeObject(
                    ShapesCodec.nonNull(drawing, "drawing is null: org.acme.Shapes/draw"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call.invokeAsync(DRAW);
    }

    @Override
    public CompletableFuture<Shapes.Extension> extension(Shapes.Extension extension) {
        ClientCall call = channel.begin(ShapesService.EXTENSION);
        try {
            call.arguments().writeObject(
                    ShapesCodec.nonNull(extension, "extension is null: org.acme.Shapes/extension"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call.invokeAsync(EXTENSION);
    }

    @Override
    public CompletableFuture<TreeMap<String, Shapes.Drawing>> index(ArrayList<Shapes.Shape> shapes,
            SortedMap<Long, Shapes.Point> points) {
        ClientCall call = channel.begin(ShapesService.INDEX);
        try {
            WireWriter out = call.arguments();
            out.writeObject(ShapesCodec.nonNull(shapes, "shapes is null: org.acme.Shapes/index"));
            out.writeObject(ShapesCodec.nonNull(points, "points is null: org.acme.Shapes/index"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call.invokeAsync(INDEX);
    }
}
