package org.acme;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.wire.WireReader;

/** Calls an implementation of {@link Accounts} from bytes. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class AccountsSkeleton implements Skeleton {

    private static final ServerCall.ResultWriter<String> LATER = AccountsSkeleton::writeLater;
    private static final ServerCall.ResultWriter<Void> LATER_NOTHING =
            AccountsSkeleton::writeLaterNothing;

    private final Accounts implementation;

    AccountsSkeleton(Accounts implementation) {
        this.implementation = implementation;
    }

    @Override
    public void dispatch(int index, ServerCall call) {
        switch (index) {
            case 0 -> byAccessors(call);
            case 1 -> byMessage(call);
            case 2 -> deepestFirst(call);
            case 3 -> everything(call);
            case 4 -> later(call);
            case 5 -> laterNothing(call);
            case 6 -> unchecked(call);
            default -> throw new RpcException(
                    Status.UNIMPLEMENTED, "org.acme.Accounts has no method index=" + index);
        }
    }

    private void byAccessors(ServerCall call) {
        WireReader in = call.arguments();
        long account = in.readLong();
        long result;
        try {
            result = implementation.byAccessors(account);
        } catch (Overdrawn e) {
            AccountsCodec.writeOverdrawn(call.exception(1), e);
            return;
        }
        call.result().writeLong(result);
    }

    private void byMessage(ServerCall call) {
        try {
            implementation.byMessage();
        } catch (IOException e) {
            AccountsCodec.writeIOException(call.exception(1), e);
            return;
        }
        call.result();
    }

    private void deepestFirst(ServerCall call) {
        WireReader in = call.arguments();
        String path = in.readString();
        String result;
        try {
            result = implementation.deepestFirst(path);
        } catch (FileNotFoundException e) {
            AccountsCodec.writeFileNotFoundException(call.exception(2), e);
            return;
        } catch (IOException e) {
            AccountsCodec.writeIOException(call.exception(1), e);
            return;
        } catch (Closed e) {
            AccountsCodec.writeClosed(call.exception(3), e);
            return;
        }
        call.result().writeString(
                AccountsCodec.returned(result, "org.acme.Accounts/deepestFirst returned null"));
    }

    private void everything(ServerCall call) {
        WireReader in = call.arguments();
        int number = in.readInt();
        int result;
        try {
            result = implementation.everything(number);
        } catch (IllegalArgumentException e) {
            AccountsCodec.writeIllegalArgumentException(call.exception(2), e);
            return;
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            AccountsCodec.writeException(call.exception(1), e);
            return;
        }
        call.result().writeInt(result);
    }

    private void later(ServerCall call) {
        WireReader in = call.arguments();
        String text = in.readString();
        CompletableFuture<String> result;
        try {
            result = implementation.later(text);
        } catch (Overdrawn e) {
            AccountsCodec.writeOverdrawn(call.exception(1), e);
            return;
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            AccountsCodec.writeException(call.exception(2), e);
            return;
        }
        call.completeLater(result, LATER);
    }

    private void laterNothing(ServerCall call) {
        CompletableFuture<Void> result = implementation.laterNothing();
        call.completeLater(result, LATER_NOTHING);
    }

    private void unchecked(ServerCall call) {
        try {
            implementation.unchecked();
        } catch (IllegalStateException e) {
            AccountsCodec.writeIllegalStateException(call.exception(1), e);
            return;
        }
        call.result();
    }

    private static void writeLater(ServerCall call, String result, Throwable thrown)
            throws Throwable {
        if (thrown != null) {
            Throwable cause = AccountsCodec.unwrapped(thrown);
            if (cause instanceof Overdrawn e) {
                AccountsCodec.writeOverdrawn(call.exception(1), e);
                return;
            }
            if (cause instanceof RuntimeException) {
                throw cause;
            }
            if (cause instanceof Exception e) {
                AccountsCodec.writeException(call.exception(2), e);
                return;
            }
            throw cause;
        }
        call.result().writeString(
                AccountsCodec.returned(result, "org.acme.Accounts/later returned null"));
    }

    private static void writeLaterNothing(ServerCall call, Void result, Throwable thrown)
            throws Throwable {
        if (thrown != null) {
            throw AccountsCodec.unwrapped(thrown);
        }
        call.result();
    }
}
