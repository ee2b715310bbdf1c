package org.acme;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.RpcService;

/** Types and methods whose names the generated code also uses. */
@RpcService
public interface Names {

    Status status(Values values, WireReader reader, List list, RpcException exception);

    Optional<Map> map(java.util.List<Map> maps, java.util.UUID value) throws ArrayList;

    CompletableFuture<Status> metadata();

    void writeMetadata(ClientCall out);

    int fingerprint(int methods);

    int readStatus(Inner.Status same, Status other);

    int sum(int callback);

    long sum(long call);

    long sumCall(long a);

    long beginSum(long a);

    record Status(int code) {
    }

    record Values(int a) {
    }

    record WireReader(int b) {
    }

    record List(int c) {
    }

    record Map(int d) {
    }

    record RpcException(int e) {
    }

    record ClientCall(int f) {
    }

    /** An exception with the name of a collection. */
    class ArrayList extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /** Has a record of the same simple name. */
    final class Inner {

        private Inner() {
        }

        public record Status(long code) {
        }
    }
}
