package org.acme;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;

/** {@link Names}, answered by futures or callbacks. A future ends with what the method throws. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
@SuppressWarnings("overloads")
public interface NamesAsync {

    CompletableFuture<Long> beginSum(long a);

    void beginSum(long a, RpcCallback.OfLong callback);

    CompletableFuture<Integer> fingerprint(int methods);

    void fingerprint(int methods, RpcCallback.OfInt callback);

    CompletableFuture<Optional<Names.Map>> map(List<Names.Map> maps, UUID value);

    void map(List<Names.Map> maps, UUID value, RpcCallback<Optional<Names.Map>> callback);

    CompletableFuture<Names.Status> metadata();

    void metadata(RpcCallback<Names.Status> callback);

    CompletableFuture<Integer> readStatus(Names.Inner.Status same, Names.Status other);

    void readStatus(Names.Inner.Status same, Names.Status other, RpcCallback.OfInt callback);

    CompletableFuture<Names.Status> status(Names.Values values, Names.WireReader reader,
            Names.List list, Names.RpcException exception);

    void status(Names.Values values, Names.WireReader reader, Names.List list,
            Names.RpcException exception, RpcCallback<Names.Status> callback);

    CompletableFuture<Integer> sum(int callback);

    void sum(int callback, RpcCallback.OfInt callback_);

    CompletableFuture<Long> sum(long call);

    void sum(long call, RpcCallback.OfLong callback);

    CompletableFuture<Long> sumCall(long a);

    void sumCall(long a, RpcCallback.OfLong callback);

    CompletableFuture<Void> writeMetadata(Names.ClientCall out);

    void writeMetadata(Names.ClientCall out, RpcCallback<Void> callback);
}
