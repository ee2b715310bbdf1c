package org.acme;

import java.util.List;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;

/** What both sides know of {@link Blocks}. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public final class BlocksService implements ServiceDescriptor<Blocks> {

    private static final String NAME = "org.acme.Blocks";

    /** {@code copy(ByteBuffer, ByteBuffer)} */
    public static final MethodDescriptor COPY = new MethodDescriptor(
            0,
            NAME,
            "copy",
            "copy(ByteBuffer,into ByteBuffer)int",
            0x130cbc742ddfbb41L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code prefetch(ByteBuffer)} */
    public static final MethodDescriptor PREFETCH = new MethodDescriptor(
            1,
            NAME,
            "prefetch",
            "prefetch(ByteBuffer)void oneway",
            0xa9b538c099452e71L,
            false,
            true,
            0L,
            false,
            false);

    /** {@code read(long, ByteBuffer)} */
    public static final MethodDescriptor READ = new MethodDescriptor(
            2,
            NAME,
            "read",
            "read(long,into ByteBuffer)void",
            0x4cd6b0ec56e02c5dL,
            false,
            false,
            0L,
            false,
            false);

    /** {@code readSome(ByteBuffer, long)} */
    public static final MethodDescriptor READ_SOME = new MethodDescriptor(
            3,
            NAME,
            "readSome",
            "readSome(into ByteBuffer,long)int throws java.io.IOException{message:String?}",
            0x6df58e1dce9cca80L,
            true,
            false,
            0L,
            false,
            false);

    /** {@code write(long, ByteBuffer)} */
    public static final MethodDescriptor WRITE = new MethodDescriptor(
            4,
            NAME,
            "write",
            "write(long,ByteBuffer)long",
            0x0d64d9b1a8ba96b5L,
            false,
            false,
            0L,
            false,
            false);

    private static final List<MethodDescriptor> METHODS = List.of(COPY, PREFETCH, READ, READ_SOME,
            WRITE);
    private static final List<Class<?>> OBJECT_CLASSES = List.of();

    /** For {@link ServiceDescriptor#of}. */
    public BlocksService() {
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long fingerprint() {
        return 0x6853010f7ee16646L;
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
    public Blocks stub(RpcChannel channel) {
        return new BlocksStub(channel);
    }

    @Override
    public BlocksAsync asyncStub(RpcChannel channel) {
        return new BlocksAsyncStub(channel);
    }

    @Override
    public Class<?> asyncInterface() {
        return BlocksAsync.class;
    }

    @Override
    public Skeleton skeleton(Blocks implementation) {
        return new BlocksSkeleton(implementation);
    }
}
