package org.acme;

import java.util.List;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;

/** What both sides know of {@link Names}. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public final class NamesService implements ServiceDescriptor<Names> {

    private static final String NAME = "org.acme.Names";

    /** {@code beginSum(long)} */
    public static final MethodDescriptor BEGIN_SUM = new MethodDescriptor(
            0,
            NAME,
            "beginSum",
            "beginSum(long)long",
            0x2163ab7eb74e8cd7L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code fingerprint(int)} */
    public static final MethodDescriptor FINGERPRINT = new MethodDescriptor(
            1,
            NAME,
            "fingerprint",
            "fingerprint(int)int",
            0x8b7aa68d7de6b431L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code map(List<Names.Map>, UUID)} */
    public static final MethodDescriptor MAP = new MethodDescriptor(
            2,
            NAME,
            "map",
            "map(List<org.acme.Names.Map>,"
                    + "UUID)Optional<org.acme.Names.Map> throws org.acme.Names.ArrayList{}"
                    + " org.acme.Names.Map{d:int}",
            0x0e7763d788105c51L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code metadata()} */
    public static final MethodDescriptor METADATA = new MethodDescriptor(
            3,
            NAME,
            "metadata",
            "metadata()org.acme.Names.Status"
                    + " org.acme.Names.Status{code:int}",
            0x052aa236ac4c611aL,
            false,
            false,
            0L,
            false,
            false);

    /** {@code readStatus(Names.Inner.Status, Names.Status)} */
    public static final MethodDescriptor READ_STATUS = new MethodDescriptor(
            4,
            NAME,
            "readStatus",
            "readStatus(org.acme.Names.Inner.Status,org.acme.Names.Status)int"
                    + " org.acme.Names.Inner.Status{code:long}"
                    + " org.acme.Names.Status{code:int}",
            0x253397ed9cc973f7L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code status(Names.Values, Names.WireReader, Names.List, Names.RpcException)} */
    public static final MethodDescriptor STATUS = new MethodDescriptor(
            5,
            NAME,
            "status",
            "status(org.acme.Names.Values,org.acme.Names.WireReader,org.acme.Names.List,"
                    + "org.acme.Names.RpcException)org.acme.Names.Status"
                    + " org.acme.Names.List{c:int}"
                    + " org.acme.Names.RpcException{e:int}"
                    + " org.acme.Names.Status{code:int}"
                    + " org.acme.Names.Values{a:int}"
                    + " org.acme.Names.WireReader{b:int}",
            0x571bc62c99278034L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code sum(int)} */
    public static final MethodDescriptor SUM_INT = new MethodDescriptor(
            6,
            NAME,
            "sum",
            "sum(int)int",
            0x36e2bd987cdcad30L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code sum(long)} */
    public static final MethodDescriptor SUM_LONG = new MethodDescriptor(
            7,
            NAME,
            "sum",
            "sum(long)long",
            0x3341561e8910a0e1L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code sumCall(long)} */
    public static final MethodDescriptor SUM_CALL = new MethodDescriptor(
            8,
            NAME,
            "sumCall",
            "sumCall(long)long",
            0x4eaccb133b69de5cL,
            false,
            false,
            0L,
            false,
            false);

    /** {@code writeMetadata(Names.ClientCall)} */
    public static final MethodDescriptor WRITE_METADATA = new MethodDescriptor(
            9,
            NAME,
            "writeMetadata",
            "writeMetadata(org.acme.Names.ClientCall)void"
                    + " org.acme.Names.ClientCall{f:int}",
            0x8bf35b31c575cd1cL,
            false,
            false,
            0L,
            false,
            false);

    private static final List<MethodDescriptor> METHODS = List.of(BEGIN_SUM, FINGERPRINT, MAP,
            METADATA, READ_STATUS, STATUS, SUM_INT, SUM_LONG, SUM_CALL, WRITE_METADATA);
    private static final List<Class<?>> OBJECT_CLASSES = List.of();

    /** For {@link ServiceDescriptor#of}. */
    public NamesService() {
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long fingerprint() {
        return 0x304bd3e25316de44L;
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
    public Names stub(RpcChannel channel) {
        return new NamesStub(channel);
    }

    @Override
    public NamesAsync asyncStub(RpcChannel channel) {
        return new NamesAsyncStub(channel);
    }

    @Override
    public Class<?> asyncInterface() {
        return NamesAsync.class;
    }

    @Override
    public Skeleton skeleton(Names implementation) {
        return new NamesSkeleton(implementation);
    }
}
