package org.acme;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;

/** {@link Shapes}, answered by futures. A future ends with what the method throws. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public interface ShapesAsync {

    CompletableFuture<Shapes.Drawing[]> all(URI where);

    CompletableFuture<Object> any(Object anything);

    CompletableFuture<Shapes.Shape> biggest(List<Shapes.Shape> shapes);

    CompletableFuture<Shapes.Drawing> draw(Shapes.Drawing drawing);

    CompletableFuture<Shapes.Extension> extension(Shapes.Extension extension);

    CompletableFuture<TreeMap<String, Shapes.Drawing>> index(ArrayList<Shapes.Shape> shapes,
            SortedMap<Long, Shapes.Point> points);
}
