package org.acme;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.Nullable;
import org.jvrpc.api.RpcService;

@RpcService(objects = {Shapes.Secret.class, Shapes.Plugin.class, int[].class})
public interface Shapes {

    Drawing draw(Drawing drawing);

    @Nullable
    Shape biggest(List<Shape> shapes);

    TreeMap<String, Drawing> index(ArrayList<Shape> shapes, SortedMap<Long, Point> points);

    CompletableFuture<Drawing[]> all(URI where);

    Object any(Object anything);

    Extension extension(Extension extension);

    /** Its permitted classes are registered. */
    sealed interface Shape permits Circle, Square {
    }

    record Circle(Point centre, double radius) implements Shape {
    }

    record Square(Point corner, double side) implements Shape {
    }

    /** A class of the old kind. */
    class Point {
        double x;
        double y;
    }

    /** Its fields lead to further classes. */
    class Drawing extends Base<Point> {
        static int count;
        String title;
        List<Shape> shapes;
        Point[] grid;
        Pen pen;
        transient Thread painter;
    }

    /** A generic superclass. */
    class Base<T> {
        T origin;
        Drawing parent;
    }

    /** An enum inside a graph. */
    enum Pen { THIN, THICK }

    /** What {@code Object} may be. */
    class Secret {
        long[] key;
    }

    /** An interface whose implementation is listed. */
    interface Extension {
    }

    /** The implementation. */
    class Plugin implements Extension {
        Secret secret;
    }
}
