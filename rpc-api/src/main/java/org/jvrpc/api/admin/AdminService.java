package org.jvrpc.api.admin;

import java.util.List;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;

/** What both sides know of {@link Admin}. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public final class AdminService implements ServiceDescriptor<Admin> {

    private static final String NAME = "org.jvrpc.api.admin.Admin";

    /** {@code sessions()} */
    public static final MethodDescriptor SESSIONS = new MethodDescriptor(
            0,
            NAME,
            "sessions",
            "sessions()List<org.jvrpc.api.admin.SessionInfo>"
                    + " org.jvrpc.api.admin.SessionInfo{id:long,peer:String?,principal:String?,openCalls:int}",
            0x29e3e3c584d3ee7bL,
            false,
            false,
            0L,
            false,
            false);

    /** {@code settings()} */
    public static final MethodDescriptor SETTINGS = new MethodDescriptor(
            1,
            NAME,
            "settings",
            "settings()List<org.jvrpc.api.admin.Setting>"
                    + " org.jvrpc.api.admin.Setting{name:String,value:String}",
            0x037c51b06d3ed26eL,
            false,
            false,
            0L,
            false,
            false);

    private static final List<MethodDescriptor> METHODS = List.of(SESSIONS, SETTINGS);
    private static final List<Class<?>> OBJECT_CLASSES = List.of();

    /** For {@link ServiceDescriptor#of}. */
    public AdminService() {
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long fingerprint() {
        return 0xe997e513bae1e47bL;
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
    public Admin stub(RpcChannel channel) {
        return new AdminStub(channel);
    }

    @Override
    public AdminAsync asyncStub(RpcChannel channel) {
        return new AdminAsyncStub(channel);
    }

    @Override
    public Class<?> asyncInterface() {
        return AdminAsync.class;
    }

    @Override
    public Skeleton skeleton(Admin implementation) {
        return new AdminSkeleton(implementation);
    }
}
