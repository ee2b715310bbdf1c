package org.acme;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;

/** {@link Directory.Users}, answered by futures. A future ends with what the method throws. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public interface Directory_UsersAsync {

    CompletableFuture<Integer> addAll(List<? extends Directory.User> users,
            Map<String, ? extends List<? extends Directory.User>> groups);

    CompletableFuture<List<Directory.User>> all();

    CompletableFuture<Void> call(String call, int in, long out, boolean channel,
            short implementation, byte result, char t, float e);

    CompletableFuture<Integer> count();

    CompletableFuture<Directory.User> find(String name);

    CompletableFuture<Directory.User> find(String name, int age);

    CompletableFuture<Directory.User> find(long id);

    CompletableFuture<Directory.User> get(Long key);

    CompletableFuture<String> join(String... parts);

    CompletableFuture<Collection<Directory.CharSequenceLike>> name(int methods);

    CompletableFuture<Page<Directory.User>> page(int number);

    CompletableFuture<Page<Directory.User>> pageLater(int number);

    CompletableFuture<Void> put(Long key, Directory.User value);

    CompletableFuture<Integer> sum(int first, int... rest);
}
