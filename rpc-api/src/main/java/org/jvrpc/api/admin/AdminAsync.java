package org.jvrpc.api.admin;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;

/** {@link Admin}, answered by futures or callbacks. A future ends with what the method throws. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public interface AdminAsync {

    CompletableFuture<List<SessionInfo>> sessions();

    void sessions(RpcCallback<List<SessionInfo>> callback);

    CompletableFuture<List<Setting>> settings();

    void settings(RpcCallback<List<Setting>> callback);
}
