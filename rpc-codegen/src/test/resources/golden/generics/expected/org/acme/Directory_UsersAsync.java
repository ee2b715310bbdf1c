package org.acme;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;

/**
 * {@link Directory.Users}, answered by futures or callbacks. A future ends with what the method throws.
 */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
@SuppressWarnings("overloads")
public interface Directory_UsersAsync {

    CompletableFuture<Integer> addAll(List<? extends Directory.User> users,
            Map<String, ? extends List<? extends Directory.User>> groups);

    void addAll(List<? extends Directory.User> users,
            Map<String, ? extends List<? extends Directory.User>> groups,
            RpcCallback.OfInt callback);

    CompletableFuture<List<Directory.User>> all();

    void all(RpcCallback<List<Directory.User>> callback);

    CompletableFuture<Void> call(String call, int in, long out, boolean channel,
            short implementation, byte result, char t, float e);

    void call(String call, int in, long out, boolean channel, short implementation, byte result,
            char t, float e, RpcCallback<Void> callback);

    CompletableFuture<Integer> count();

    void count(RpcCallback.OfInt callback);

    CompletableFuture<Directory.User> find(String name);

    void find(String name, RpcCallback<Directory.User> callback);

    CompletableFuture<Directory.User> find(String name, int age);

    void find(String name, int age, RpcCallback<Directory.User> callback);

    CompletableFuture<Directory.User> find(long id);

    void find(long id, RpcCallback<Directory.User> callback);

    CompletableFuture<Directory.User> get(Long key);

    void get(Long key, RpcCallback<Directory.User> callback);

    CompletableFuture<String> join(String... parts);

    void join(String[] parts, RpcCallback<String> callback);

    CompletableFuture<Collection<Directory.CharSequenceLike>> name(int methods);

    void name(int methods, RpcCallback<Collection<Directory.CharSequenceLike>> callback);

    CompletableFuture<Page<Directory.User>> page(int number);

    void page(int number, RpcCallback<Page<Directory.User>> callback);

    CompletableFuture<Page<Directory.User>> pageLater(int number);

    void pageLater(int number, RpcCallback<Page<Directory.User>> callback);

    CompletableFuture<Void> put(Long key, Directory.User value);

    void put(Long key, Directory.User value, RpcCallback<Void> callback);

    CompletableFuture<Integer> sum(int first, int... rest);

    void sum(int first, int[] rest, RpcCallback.OfInt callback);
}
