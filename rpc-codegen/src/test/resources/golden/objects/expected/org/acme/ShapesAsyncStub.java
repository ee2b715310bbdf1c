package org.acme;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;
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
        return beginAll(where).invokeAsync(ALL);
    }

    @Override
    public void all(URI where, RpcCallback<Shapes.Drawing[]> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Shapes/all");
        beginAll(where).invokeCallback(ALL, callback);
    }

    @Override
    public CompletableFuture<Object> any(Object anything) {
        return beginAny(anything).invokeAsync(ANY);
    }

    @Override
    public void any(Object anything, RpcCallback<Object> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Shapes/any");
        beginAny(anything).invokeCallback(ANY, callback);
    }

    @Override
    public CompletableFuture<Shapes.Shape> biggest(List<Shapes.Shape> shapes) {
        return beginBiggest(shapes).invokeAsync(BIGGEST);
    }

    @Override
    public void biggest(List<Shapes.Shape> shapes, RpcCallback<Shapes.Shape> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Shapes/biggest");
        beginBiggest(shapes).invokeCallback(BIGGEST, callback);
    }

    @Override
    public CompletableFuture<Shapes.Drawing> draw(Shapes.Drawing drawing) {
        return beginDraw(drawing).invokeAsync(DRAW);
    }

    @Override
    public void draw(Shapes.Drawing drawing, RpcCallback<Shapes.Drawing> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Shapes/draw");
        beginDraw(drawing).invokeCallback(DRAW, callback);
    }

    @Override
    public CompletableFuture<Shapes.Extension> extension(Shapes.Extension extension) {
        return beginExtension(extension).invokeAsync(EXTENSION);
    }

    @Override
    public void extension(Shapes.Extension extension, RpcCallback<Shapes.Extension> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Shapes/extension");
        beginExtension(extension).invokeCallback(EXTENSION, callback);
    }

    @Override
    public CompletableFuture<TreeMap<String, Shapes.Drawing>> index(ArrayList<Shapes.Shape> shapes,
            SortedMap<Long, Shapes.Point> points) {
        return beginIndex(shapes, points).invokeAsync(INDEX);
    }

    @Override
    public void index(ArrayList<Shapes.Shape> shapes, SortedMap<Long, Shapes.Point> points,
            RpcCallback<TreeMap<String, Shapes.Drawing>> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Shapes/index");
        beginIndex(shapes, points).invokeCallback(INDEX, callback);
    }

    private ClientCall beginAll(URI where) {
        ClientCall call = channel.begin(ShapesService.ALL);
        try {
            call.arguments().writeObject(
                    ShapesCodec.nonNull(where, "where is null: org.acme.Shapes/all"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginAny(Object anything) {
        ClientCall call = channel.begin(ShapesService.ANY);
        try {
            call.arguments().writeObject(
                    ShapesCodec.nonNull(anything, "anything is null: org.acme.Shapes/any"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginBiggest(List<Shapes.Shape> shapes) {
        ClientCall call = channel.begin(ShapesService.BIGGEST);
        try {
            ShapesCodec.writeListOfShape(call.arguments(),
                    ShapesCodec.nonNull(shapes, "shapes is null: org.acme.Shapes/biggest"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginDraw(Shapes.Drawing drawing) {
        ClientCall call = channel.begin(ShapesService.DRAW);
        try {
            call.arguments().writeObject(
                    ShapesCodec.nonNull(drawing, "drawing is null: org.acme.Shapes/draw"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginExtension(Shapes.Extension extension) {
        ClientCall call = channel.begin(ShapesService.EXTENSION);
        try {
            call.arguments().writeObject(
                    ShapesCodec.nonNull(extension, "extension is null: org.acme.Shapes/extension"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginIndex(ArrayList<Shapes.Shape> shapes,
            SortedMap<Long, Shapes.Point> points) {
        ClientCall call = channel.begin(ShapesService.INDEX);
        try {
            WireWriter out = call.arguments();
            out.writeObject(ShapesCodec.nonNull(shapes, "shapes is null: org.acme.Shapes/index"));
            out.writeObject(ShapesCodec.nonNull(points, "points is null: org.acme.Shapes/index"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }
}
