package org.acme;

import java.util.List;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;

/** What both sides know of {@link Accounts}. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public final class AccountsService implements ServiceDescriptor<Accounts> {

    private static final String NAME = "org.acme.Accounts";

    /** {@code byAccessors(long)} */
    public static final MethodDescriptor BY_ACCESSORS = new MethodDescriptor(
            0,
            NAME,
            "byAccessors",
            "byAccessors(long)long throws org.acme.Overdrawn{message:String?,account:long,"
                    + "since:List<Instant>?,kind:org.acme.Overdrawn.Kind?}"
                    + " org.acme.Overdrawn.Kind[SOFT,HARD]",
            0x6d33983c1a89966bL,
            false,
            false,
            0L,
            false,
            false);

    /** {@code byMessage()} */
    public static final MethodDescriptor BY_MESSAGE = new MethodDescriptor(
            1,
            NAME,
            "byMessage",
            "byMessage()void throws java.io.IOException{message:String?}",
            0xedfc7eddb16707fbL,
            false,
            false,
            0L,
            false,
            false);

    /** {@code deepestFirst(String)} */
    public static final MethodDescriptor DEEPEST_FIRST = new MethodDescriptor(
            2,
            NAME,
            "deepestFirst",
            "deepestFirst(String)String throws java.io.IOException{message:String?},"
                    + "java.io.FileNotFoundException{message:String?},org.acme.Closed{}",
            0xe95b0fd8ebcd2da4L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code everything(int)} */
    public static final MethodDescriptor EVERYTHING = new MethodDescriptor(
            3,
            NAME,
            "everything",
            "everything(int)int throws java.lang.Exception{message:String?},"
                    + "java.lang.IllegalArgumentException{message:String?}",
            0xa2ed6e82fe91e9a9L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code later(String)} */
    public static final MethodDescriptor LATER = new MethodDescriptor(
            4,
            NAME,
            "later",
            "later(String)String throws org.acme.Overdrawn{message:String?,account:long,"
                    + "since:List<Instant>?,kind:org.acme.Overdrawn.Kind?},java.lang.Exception{message:String?}"
                    + " org.acme.Overdrawn.Kind[SOFT,HARD]",
            0x76645e3be23f7809L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code laterNothing()} */
    public static final MethodDescriptor LATER_NOTHING = new MethodDescriptor(
            5,
            NAME,
            "laterNothing",
            "laterNothing()void",
            0xad2bdddbc2db959fL,
            false,
            false,
            0L,
            false,
            false);

    /** {@code unchecked()} */
    public static final MethodDescriptor UNCHECKED = new MethodDescriptor(
            6,
            NAME,
            "unchecked",
            "unchecked()void throws java.lang.IllegalStateException{message:String?}",
            0x2ccc7add92805ea3L,
            false,
            false,
            0L,
            false,
            false);

    private static final List<MethodDescriptor> METHODS = List.of(BY_ACCESSORS, BY_MESSAGE,
            DEEPEST_FIRST, EVERYTHING, LATER, LATER_NOTHING, UNCHECKED);
    private static final List<Class<?>> OBJECT_CLASSES = List.of();

    /** For {@link ServiceDescriptor#of}. */
    public AccountsService() {
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long fingerprint() {
        return 0xbb0fdb76a1e2a7faL;
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
    public Accounts stub(RpcChannel channel) {
        return new AccountsStub(channel);
    }

    @Override
    public AccountsAsync asyncStub(RpcChannel channel) {
        return new AccountsAsyncStub(channel);
    }

    @Override
    public Class<?> asyncInterface() {
        return AccountsAsync.class;
    }

    @Override
    public Skeleton skeleton(Accounts implementation) {
        return new AccountsSkeleton(implementation);
    }
}
