package org.acme;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;

/** {@link Names}, answered by futures. A future ends with what the method throws. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public interface NamesAsync {

    CompletableFuture<Integer> fingerprint(int methods);

    CompletableFuture<Optional<Names.Map>> map(List<Names.Map> maps, UUID value);

    CompletableFuture<Names.Status> metadata();

    CompletableFuture<Integer> readStatus(Names.Inner.Status same, Names.Status other);

    CompletableFuture<Names.Status> status(Names.Values values, Names.WireReader reader,
            Names.List list, Names.RpcException exception);

    CompletableFuture<Void> writeMetadata(Names.ClientCall out);
}
