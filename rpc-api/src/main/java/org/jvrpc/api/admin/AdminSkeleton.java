package org.jvrpc.api.admin;

import java.util.List;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.stub.Skeleton;

/** Calls an implementation of {@link Admin} from bytes. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class AdminSkeleton implements Skeleton {

    private final Admin implementation;

    AdminSkeleton(Admin implementation) {
        this.implementation = implementation;
    }

    @Override
    public void dispatch(int index, ServerCall call) {
        switch (index) {
            case 0 -> sessions(call);
            case 1 -> settings(call);
            default -> throw new RpcException(
                    Status.UNIMPLEMENTED, "org.jvrpc.api.admin.Admin has no method index=" + index);
        }
    }

    private void sessions(ServerCall call) {
        List<SessionInfo> result = implementation.sessions();
        AdminCodec.writeListOfSessionInfo(call.result(),
                AdminCodec.returned(result, "org.jvrpc.api.admin.Admin/sessions returned null"));
    }

    private void settings(ServerCall call) {
        List<Setting> result = implementation.settings();
        AdminCodec.writeListOfSetting(call.result(),
                AdminCodec.returned(result, "org.jvrpc.api.admin.Admin/settings returned null"));
    }
}
