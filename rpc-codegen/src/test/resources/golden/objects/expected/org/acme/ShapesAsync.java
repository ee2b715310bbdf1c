package org.acme;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;

/** {@link Shapes}, answered by futures or callbacks. A future ends with what the method throws. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public interface ShapesAsync {

    CompletableFuture<Shapes.Drawing[]> all(URI where);

    void all(URI where, RpcCallback<Shapes.Drawing[]> callback);

    CompletableFuture<Object> any(Object anything);

    void any(Object anything, RpcCallback<Object> callback);

    CompletableFuture<Shapes.Shape> biggest(List<Shapes.Shape> shapes);

    void biggest(List<Shapes.Shape> shapes, RpcCallback<Shapes.Shape> callback);

    CompletableFuture<Shapes.Drawing> draw(Shapes.Drawing drawing);

    void draw(Shapes.Drawing drawing, RpcCallback<Shapes.Drawing> callback);

    CompletableFuture<Shapes.Extension> extension(Shapes.Extension extension);

    void extension(Shapes.Extension extension, RpcCallback<Shapes.Extension> callback);

    CompletableFuture<TreeMap<String, Shapes.Drawing>> index(ArrayList<Shapes.Shape> shapes,
            SortedMap<Long, Shapes.Point> points);

    void index(ArrayList<Shapes.Shape> shapes, SortedMap<Long, Shapes.Point> points,
            RpcCallback<TreeMap<String, Shapes.Drawing>> callback);
}
