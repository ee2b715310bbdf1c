package org.acme;

import java.util.List;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;

/** What both sides know of {@link Catalog}. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public final class CatalogService implements ServiceDescriptor<Catalog> {

    private static final String NAME = "org.acme.Catalog";

    /** {@code arrays(boolean[], byte[], short[], char[], int[], long[], float[], double[])} */
    public static final MethodDescriptor ARRAYS = new MethodDescriptor(
            0,
            NAME,
            "arrays",
            "arrays(boolean[],byte[],short[],char[],int[],long[],float[],"
                    + "double[])org.acme.Catalog.Arrays"
                    + " org.acme.Catalog.Arrays{a:boolean[],b:byte[],c:short[],d:char[],e:int[],f:long[],"
                    + "g:float[],h:double[]}",
            0x3553dcf662cfd1c7L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code arraysOfArrays(long[][], Catalog.Nested[], List<String>[])} */
    public static final MethodDescriptor ARRAYS_OF_ARRAYS = new MethodDescriptor(
            1,
            NAME,
            "arraysOfArrays",
            "arraysOfArrays(long[][],org.acme.Catalog.Nested[],List<String>[])String[][]"
                    + " org.acme.Catalog.Color[RED,GREEN,BLUE]"
                    + " org.acme.Catalog.Nested{name:String,alias:String?,duration:Duration,instant:Instant,"
                    + "decimal:BigDecimal,integer:BigInteger,uuid:UUID,color:org.acme.Catalog.Color,"
                    + "background:org.acme.Catalog.Color?,inner:org.acme.Catalog.Nested.Inner,"
                    + "maybe:org.acme.Catalog.Nested.Inner?}"
                    + " org.acme.Catalog.Nested.Inner{text:Optional<String>,number:OptionalInt<int>,"
                    + "longs:List<long?>}",
            0x8672ce85023e9cc3L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code boxes(Boolean, Byte, Short, Character, Integer, Long, Float, Double)} */
    public static final MethodDescriptor BOXES = new MethodDescriptor(
            2,
            NAME,
            "boxes",
            "boxes(boolean?,byte?,short?,char?,int?,long?,float?,double?)org.acme.Catalog.Boxes"
                    + " org.acme.Catalog.Boxes{a:boolean?,b:byte?,c:short?,d:char?,e:int?,f:long?,g:float?,"
                    + "h:double?}",
            0x293ade5ea9201070L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code buffers(ByteBuffer, ByteBuffer)} */
    public static final MethodDescriptor BUFFERS = new MethodDescriptor(
            3,
            NAME,
            "buffers",
            "buffers(ByteBuffer,ByteBuffer?)ByteBuffer?",
            0x0dd4a507cb1abd42L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code colors(Collection<Catalog.Color>, Catalog.Color[])} */
    public static final MethodDescriptor COLORS = new MethodDescriptor(
            4,
            NAME,
            "colors",
            "colors(Collection<org.acme.Catalog.Color>,"
                    + "org.acme.Catalog.Color[]?)Set<org.acme.Catalog.Color>"
                    + " org.acme.Catalog.Color[RED,GREEN,BLUE]",
            0xdc6b0920a52e0f61L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code maps(Map<Catalog.Color, Map<Integer, Catalog.Nested>>)} */
    public static final MethodDescriptor MAPS = new MethodDescriptor(
            5,
            NAME,
            "maps",
            "maps(Map<org.acme.Catalog.Color,Map<int?,org.acme.Catalog.Nested>>)Map<UUID,"
                    + "List<Optional<String>>>"
                    + " org.acme.Catalog.Color[RED,GREEN,BLUE]"
                    + " org.acme.Catalog.Nested{name:String,alias:String?,duration:Duration,instant:Instant,"
                    + "decimal:BigDecimal,integer:BigInteger,uuid:UUID,color:org.acme.Catalog.Color,"
                    + "background:org.acme.Catalog.Color?,inner:org.acme.Catalog.Nested.Inner,"
                    + "maybe:org.acme.Catalog.Nested.Inner?}"
                    + " org.acme.Catalog.Nested.Inner{text:Optional<String>,number:OptionalInt<int>,"
                    + "longs:List<long?>}",
            0x2e2d09b52dc86225L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code nested(Catalog.Nested)} */
    public static final MethodDescriptor NESTED = new MethodDescriptor(
            6,
            NAME,
            "nested",
            "nested(org.acme.Catalog.Nested)org.acme.Catalog.Nested"
                    + " org.acme.Catalog.Color[RED,GREEN,BLUE]"
                    + " org.acme.Catalog.Nested{name:String,alias:String?,duration:Duration,instant:Instant,"
                    + "decimal:BigDecimal,integer:BigInteger,uuid:UUID,color:org.acme.Catalog.Color,"
                    + "background:org.acme.Catalog.Color?,inner:org.acme.Catalog.Nested.Inner,"
                    + "maybe:org.acme.Catalog.Nested.Inner?}"
                    + " org.acme.Catalog.Nested.Inner{text:Optional<String>,number:OptionalInt<int>,"
                    + "longs:List<long?>}",
            0x4192916209712c65L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code nothing(Catalog.Empty, List<Catalog.Empty>)} */
    public static final MethodDescriptor NOTHING = new MethodDescriptor(
            7,
            NAME,
            "nothing",
            "nothing(org.acme.Catalog.Empty,List<org.acme.Catalog.Empty>)org.acme.Catalog.Empty"
                    + " org.acme.Catalog.Empty{}",
            0x6b0ce81dff85be15L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code nullableElements(Set<Instant>)} */
    public static final MethodDescriptor NULLABLE_ELEMENTS = new MethodDescriptor(
            8,
            NAME,
            "nullableElements",
            "nullableElements(Set<Instant?>)List<String?>",
            0x923937820b09dec7L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code optionals(OptionalInt, OptionalLong, OptionalDouble, Optional<Catalog.Nested>, OptionalInt)} */
    public static final MethodDescriptor OPTIONALS = new MethodDescriptor(
            9,
            NAME,
            "optionals",
            "optionals(OptionalInt<int>,OptionalLong<long>,OptionalDouble<double>,"
                    + "Optional<org.acme.Catalog.Nested>,OptionalInt<int>?)Optional<int>"
                    + " org.acme.Catalog.Color[RED,GREEN,BLUE]"
                    + " org.acme.Catalog.Nested{name:String,alias:String?,duration:Duration,instant:Instant,"
                    + "decimal:BigDecimal,integer:BigInteger,uuid:UUID,color:org.acme.Catalog.Color,"
                    + "background:org.acme.Catalog.Color?,inner:org.acme.Catalog.Nested.Inner,"
                    + "maybe:org.acme.Catalog.Nested.Inner?}"
                    + " org.acme.Catalog.Nested.Inner{text:Optional<String>,number:OptionalInt<int>,"
                    + "longs:List<long?>}",
            0xf390b22b9f5c41cfL,
            false,
            false,
            0L,
            false,
            false);

    /** {@code primitives(boolean, byte, short, char, int, long, float, double)} */
    public static final MethodDescriptor PRIMITIVES = new MethodDescriptor(
            10,
            NAME,
            "primitives",
            "primitives(boolean,byte,short,char,int,long,float,double)org.acme.Catalog.Primitives"
                    + " org.acme.Catalog.Primitives{a:boolean,b:byte,c:short,d:char,e:int,f:long,g:float,"
                    + "h:double}",
            0xc21c15255b89f502L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code tree(Catalog.Tree)} */
    public static final MethodDescriptor TREE = new MethodDescriptor(
            11,
            NAME,
            "tree",
            "tree(org.acme.Catalog.Tree?)org.acme.Catalog.Tree"
                    + " org.acme.Catalog.Tree{value:int,left:org.acme.Catalog.Tree?,"
                    + "right:List<org.acme.Catalog.Tree>}",
            0x42806b1d9ce250b7L,
            false,
            false,
            0L,
            false,
            false);

    private static final List<MethodDescriptor> METHODS = List.of(ARRAYS, ARRAYS_OF_ARRAYS, BOXES,
            BUFFERS, COLORS, MAPS, NESTED, NOTHING, NULLABLE_ELEMENTS, OPTIONALS, PRIMITIVES, TREE);
    private static final List<Class<?>> OBJECT_CLASSES = List.of();

    /** For {@link ServiceDescriptor#of}. */
    public CatalogService() {
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long fingerprint() {
        return 0x399de0b76480911aL;
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
    public Catalog stub(RpcChannel channel) {
        return new CatalogStub(channel);
    }

    @Override
    public CatalogAsync asyncStub(RpcChannel channel) {
        return new CatalogAsyncStub(channel);
    }

    @Override
    public Class<?> asyncInterface() {
        return CatalogAsync.class;
    }

    @Override
    public Skeleton skeleton(Catalog implementation) {
        return new CatalogSkeleton(implementation);
    }
}
