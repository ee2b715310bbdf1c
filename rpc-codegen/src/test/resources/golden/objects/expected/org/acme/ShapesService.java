package org.acme;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;

/** What both sides know of {@link Shapes}. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public final class ShapesService implements ServiceDescriptor<Shapes> {

    private static final String NAME = "org.acme.Shapes";

    /** {@code all(URI)} */
    public static final MethodDescriptor ALL = new MethodDescriptor(
            0,
            NAME,
            "all",
            "all(object java.net.URI)object org.acme.Shapes.Drawing[]"
                    + " object java.net.URI{}"
                    + " object java.util.ArrayList{}"
                    + " object java.util.List{}"
                    + " object org.acme.Shapes.Base{origin:T,parent:org.acme.Shapes.Drawing}"
                    + " object org.acme.Shapes.Circle{centre:org.acme.Shapes.Point,radius:double}"
                    + " object org.acme.Shapes.Drawing{title:java.lang.String,"
                    + "shapes:java.util.List<org.acme.Shapes.Shape>,grid:org.acme.Shapes.Point[],"
                    + "pen:org.acme.Shapes.Pen}"
                    + " object org.acme.Shapes.Pen{THIN,THICK}"
                    + " object org.acme.Shapes.Point{x:double,y:double}"
                    + " object org.acme.Shapes.Point[]{}"
                    + " object org.acme.Shapes.Shape{}"
                    + " object org.acme.Shapes.Square{corner:org.acme.Shapes.Point,side:double}",
            0x6dbf79ee636745b2L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code any(Object)} */
    public static final MethodDescriptor ANY = new MethodDescriptor(
            1,
            NAME,
            "any",
            "any(object java.lang.Object)object java.lang.Object"
                    + " object int[]{}"
                    + " object java.lang.Object{}"
                    + " object long[]{}"
                    + " object org.acme.Shapes.Plugin{secret:org.acme.Shapes.Secret}"
                    + " object org.acme.Shapes.Secret{key:long[]}",
            0xaf8576b1b842f5dbL,
            false,
            false,
            0L,
            false,
            false);

    /** {@code biggest(List<Shapes.Shape>)} */
    public static final MethodDescriptor BIGGEST = new MethodDescriptor(
            2,
            NAME,
            "biggest",
            "biggest(List<object org.acme.Shapes.Shape>)object org.acme.Shapes.Shape?"
                    + " object org.acme.Shapes.Circle{centre:org.acme.Shapes.Point,radius:double}"
                    + " object org.acme.Shapes.Point{x:double,y:double}"
                    + " object org.acme.Shapes.Shape{}"
                    + " object org.acme.Shapes.Square{corner:org.acme.Shapes.Point,side:double}",
            0xb2105f3782b241f5L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code draw(Shapes.Drawing)} */
    public static final MethodDescriptor DRAW = new MethodDescriptor(
            3,
            NAME,
            "draw",
            "draw(object org.acme.Shapes.Drawing)object org.acme.Shapes.Drawing"
                    + " object java.util.ArrayList{}"
                    + " object java.util.List{}"
                    + " object org.acme.Shapes.Base{origin:T,parent:org.acme.Shapes.Drawing}"
                    + " object org.acme.Shapes.Circle{centre:org.acme.Shapes.Point,radius:double}"
                    + " object org.acme.Shapes.Drawing{title:java.lang.String,"
                    + "shapes:java.util.List<org.acme.Shapes.Shape>,grid:org.acme.Shapes.Point[],"
                    + "pen:org.acme.Shapes.Pen}"
                    + " object org.acme.Shapes.Pen{THIN,THICK}"
                    + " object org.acme.Shapes.Point{x:double,y:double}"
                    + " object org.acme.Shapes.Point[]{}"
                    + " object org.acme.Shapes.Shape{}"
                    + " object org.acme.Shapes.Square{corner:org.acme.Shapes.Point,side:double}",
            0x03f0207b6d8eb7a7L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code extension(Shapes.Extension)} */
    public static final MethodDescriptor EXTENSION = new MethodDescriptor(
            4,
            NAME,
            "extension",
            "extension(object org.acme.Shapes.Extension)object org.acme.Shapes.Extension"
                    + " object long[]{}"
                    + " object org.acme.Shapes.Extension{}"
                    + " object org.acme.Shapes.Plugin{secret:org.acme.Shapes.Secret}"
                    + " object org.acme.Shapes.Secret{key:long[]}",
            0x0ff8f10027ee4664L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code index(ArrayList<Shapes.Shape>, SortedMap<Long, Shapes.Point>)} */
    public static final MethodDescriptor INDEX = new MethodDescriptor(
            5,
            NAME,
            "index",
            "index(object java.util.ArrayList<org.acme.Shapes.Shape>,"
                    + "object java.util.SortedMap<java.lang.Long,"
                    + "org.acme.Shapes.Point>)object java.util.TreeMap<java.lang.String,org.acme.Shapes.Drawing>"
                    + " object java.util.ArrayList{}"
                    + " object java.util.List{}"
                    + " object java.util.SortedMap{}"
                    + " object java.util.TreeMap{}"
                    + " object org.acme.Shapes.Base{origin:T,parent:org.acme.Shapes.Drawing}"
                    + " object org.acme.Shapes.Circle{centre:org.acme.Shapes.Point,radius:double}"
                    + " object org.acme.Shapes.Drawing{title:java.lang.String,"
                    + "shapes:java.util.List<org.acme.Shapes.Shape>,grid:org.acme.Shapes.Point[],"
                    + "pen:org.acme.Shapes.Pen}"
                    + " object org.acme.Shapes.Pen{THIN,THICK}"
                    + " object org.acme.Shapes.Point{x:double,y:double}"
                    + " object org.acme.Shapes.Point[]{}"
                    + " object org.acme.Shapes.Shape{}"
                    + " object org.acme.Shapes.Square{corner:org.acme.Shapes.Point,side:double}",
            0xf5ef799be0785f58L,
            false,
            false,
            0L,
            false,
            false);

    private static final List<MethodDescriptor> METHODS = List.of(ALL, ANY, BIGGEST, DRAW,
            EXTENSION, INDEX);
    private static final List<Class<?>> OBJECT_CLASSES = List.of(int[].class, URI.class,
            ArrayList.class, TreeMap.class, long[].class, Shapes.Base.class, Shapes.Circle.class,
            Shapes.Drawing.class, Shapes.Pen.class, Shapes.Plugin.class, Shapes.Point.class,
            Shapes.Point[].class, Shapes.Secret.class, Shapes.Square.class);

    /** For {@link ServiceDescriptor#of}. */
    public ShapesService() {
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long fingerprint() {
        return 0x7311f52d9c04c8d4L;
    }

    @Override
    public List<MethodDescriptor> methods() {
        return METHODS;
    }

    @Override
    public List<Class<?>> objectClasses() {
        return OBJECT_CLASSES;
    }

    @Override
    public long objectsFingerprint() {
        return 0xbe6e9a19b83cd6b2L;
    }

    @Override
    public Shapes stub(RpcChannel channel) {
        return new ShapesStub(channel);
    }

    @Override
    public ShapesAsync asyncStub(RpcChannel channel) {
        return new ShapesAsyncStub(channel);
    }

    @Override
    public Class<?> asyncInterface() {
        return ShapesAsync.class;
    }

    @Override
    public Skeleton skeleton(Shapes implementation) {
        return new ShapesSkeleton(implementation);
    }
}
