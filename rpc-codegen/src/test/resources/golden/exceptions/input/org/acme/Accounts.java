package org.acme;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.RpcService;

@RpcService
public interface Accounts {

    void byMessage() throws IOException;

    long byAccessors(long account) throws Overdrawn;

    String deepestFirst(String path) throws IOException, FileNotFoundException, Closed;

    void unchecked() throws IllegalStateException, RpcException;

    int everything(int number) throws Exception, IllegalArgumentException;

    CompletableFuture<String> later(String text) throws Overdrawn, Exception;

    CompletableFuture<Void> laterNothing();
}
