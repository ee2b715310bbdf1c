package org.acme;

import java.util.List;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;

/** What both sides know of {@link Directory.Users}. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public final class Directory_UsersService implements ServiceDescriptor<Directory.Users> {

    private static final String NAME_ = "directory";

    /**
     * {@code addAll(List<? extends Directory.User>, Map<String, ? extends List<? extends Directory.User>>)}
     */
    public static final MethodDescriptor ADD_ALL = new MethodDescriptor(
            0,
            NAME_,
            "addAll",
            "addAll(List<org.acme.Directory.User>,Map<String,List<org.acme.Directory.User>>)int"
                    + " org.acme.Directory.User{id:long,name:String}",
            0xdc150de04852f1d4L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code all()} */
    public static final MethodDescriptor ALL = new MethodDescriptor(
            1,
            NAME_,
            "all",
            "all()List<org.acme.Directory.User>"
                    + " org.acme.Directory.User{id:long,name:String}",
            0xc109071e16d08d3dL,
            false,
            false,
            0L,
            false,
            false);

    /** {@code call(String, int, long, boolean, short, byte, char, float)} */
    public static final MethodDescriptor CALL = new MethodDescriptor(
            2,
            NAME_,
            "call",
            "call(String,int,long,boolean,short,byte,char,float)void",
            0xc4710eebf9547e7eL,
            false,
            false,
            0L,
            false,
            false);

    /** {@code count()} */
    public static final MethodDescriptor COUNT = new MethodDescriptor(
            3,
            NAME_,
            "count",
            "count()int",
            0x283966008213148dL,
            false,
            false,
            0L,
            false,
            false);

    /** {@code find(String)} */
    public static final MethodDescriptor FIND_STRING = new MethodDescriptor(
            4,
            NAME_,
            "find",
            "find(String)org.acme.Directory.User"
                    + " org.acme.Directory.User{id:long,name:String}",
            0xbf0b451b87fc3a68L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code find(String, int)} */
    public static final MethodDescriptor FIND_STRING_INT = new MethodDescriptor(
            5,
            NAME_,
            "find",
            "find(String,int)org.acme.Directory.User"
                    + " org.acme.Directory.User{id:long,name:String}",
            0x2f76be9054eda510L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code find(long)} */
    public static final MethodDescriptor FIND_LONG = new MethodDescriptor(
            6,
            NAME_,
            "find",
            "find(long)org.acme.Directory.User"
                    + " org.acme.Directory.User{id:long,name:String}",
            0x3b6f0df0a237c26aL,
            false,
            false,
            0L,
            false,
            false);

    /** {@code get(Long)} */
    public static final MethodDescriptor GET = new MethodDescriptor(
            7,
            NAME_,
            "get",
            "get(long?)org.acme.Directory.User?"
                    + " org.acme.Directory.User{id:long,name:String}",
            0xb52b023d2f03c27fL,
            false,
            false,
            0L,
            false,
            false);

    /** {@code join(String[])} */
    public static final MethodDescriptor JOIN = new MethodDescriptor(
            8,
            NAME_,
            "join",
            "join(String[])String",
            0xf26e65b9682eae86L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code name(int)} */
    public static final MethodDescriptor NAME = new MethodDescriptor(
            9,
            NAME_,
            "name",
            "name(int)Collection<org.acme.Directory.CharSequenceLike>"
                    + " org.acme.Directory.CharSequenceLike[ONE,TWO]",
            0xd763f1702af2fff0L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code page(int)} */
    public static final MethodDescriptor PAGE = new MethodDescriptor(
            10,
            NAME_,
            "page",
            "page(int)org.acme.Page<org.acme.Directory.User>"
                    + " org.acme.Directory.User{id:long,name:String}"
                    + " org.acme.Page<org.acme.Directory.User>{number:int,items:List<org.acme.Directory.User>,"
                    + "first:org.acme.Directory.User}",
            0x629df5ca356f6981L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code pageLater(int)} */
    public static final MethodDescriptor PAGE_LATER = new MethodDescriptor(
            11,
            NAME_,
            "pageLater",
            "pageLater(int)org.acme.Page<org.acme.Directory.User>"
                    + " org.acme.Directory.User{id:long,name:String}"
                    + " org.acme.Page<org.acme.Directory.User>{number:int,items:List<org.acme.Directory.User>,"
                    + "first:org.acme.Directory.User}",
            0x898a1b36b1c2b1d3L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code put(Long, Directory.User)} */
    public static final MethodDescriptor PUT = new MethodDescriptor(
            12,
            NAME_,
            "put",
            "put(long?,org.acme.Directory.User)void"
                    + " org.acme.Directory.User{id:long,name:String}",
            0x48984dc13dfceaa5L,
            false,
            false,
            250000L,
            false,
            false);

    /** {@code sum(int, int[])} */
    public static final MethodDescriptor SUM = new MethodDescriptor(
            13,
            NAME_,
            "sum",
            "sum(int,int[])int",
            0xc113b2bd7bc3b1d2L,
            false,
            false,
            0L,
            false,
            false);

    private static final List<MethodDescriptor> METHODS = List.of(ADD_ALL, ALL, CALL, COUNT,
            FIND_STRING, FIND_STRING_INT, FIND_LONG, GET, JOIN, NAME, PAGE, PAGE_LATER, PUT, SUM);
    private static final List<Class<?>> OBJECT_CLASSES = List.of();

    /** For {@link ServiceDescriptor#of}. */
    public Directory_UsersService() {
    }

    @Override
    public String name() {
        return NAME_;
    }

    @Override
    public long fingerprint() {
        return 0x1152f8ca0102978eL;
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
    public Directory.Users stub(RpcChannel channel) {
        return new Directory_UsersStub(channel);
    }

    @Override
    public Directory_UsersAsync asyncStub(RpcChannel channel) {
        return new Directory_UsersAsyncStub(channel);
    }

    @Override
    public Class<?> asyncInterface() {
        return Directory_UsersAsync.class;
    }

    @Override
    public Skeleton skeleton(Directory.Users implementation) {
        return new Directory_UsersSkeleton(implementation);
    }
}
