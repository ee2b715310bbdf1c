package org.jvrpc.samples.cookbook.calls;

import org.jvrpc.api.RpcException;
import org.jvrpc.api.RpcService;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** A declared exception arrives as itself; whatever else a handler throws arrives as a status. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class DeclaredExceptions {

    private DeclaredExceptions() {
    }

    // snippet begins
    public static final class NoSuchOrderException extends Exception {
        private static final long serialVersionUID = 1;
        private final long id;

        public NoSuchOrderException(long id) { // rebuilt by this: its parameter has an accessor
            super("no order " + id);
            this.id = id;
        }

        public long id() {
            return id;
        }
    }

    @RpcService
    public interface Ledger {
        String find(long id) throws NoSuchOrderException;
    }

    public static void main(String[] args) {
        Ledger ledger = id -> {
            if (id < 0) {
                throw new RpcException(Status.INVALID_ARGUMENT, "id must not be negative, id=" + id);
            }
            if (id == 0) {
                throw new IllegalStateException("the ledger is empty");
            }
            throw new NoSuchOrderException(id);
        };
        try (RpcServer server = RpcServer.builder().bind("inproc://ledger").service(Ledger.class, ledger).start();
             RpcClient client = RpcClient.connect("inproc://ledger")) {
            for (long id : new long[] {42, -1, 0}) {
                try {
                    System.out.println(client.stub(Ledger.class).find(id));
                } catch (NoSuchOrderException e) {
                    System.out.println("no order " + e.id());
                } catch (RpcException e) {
                    System.out.println(e.status() + ", may have run: " + e.mayHaveRun());
                }
            }
        }
    }
    // snippet ends
}
