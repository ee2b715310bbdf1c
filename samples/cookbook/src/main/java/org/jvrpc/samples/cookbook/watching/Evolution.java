package org.jvrpc.samples.cookbook.watching;

import java.util.List;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.RpcService;
import org.jvrpc.api.schema.SchemaDiff;
import org.jvrpc.api.schema.ServiceSchema;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** A client of a newer interface calls an older server: what both have works, the rest says so. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class Evolution {

    private Evolution() {
    }

    // snippet begins
    @RpcService(name = "org.acme.Book")
    public interface BookOf2025 {
        long find(String symbol);
    }

    @RpcService(name = "org.acme.Book")
    public interface BookOf2026 {
        long find(String symbol);

        void cancel(long id);
    }

    public static void main(String[] args) {
        try (RpcServer old = RpcServer.builder().bind("inproc://book").service(BookOf2025.class, s -> 7).start();
             RpcClient client = RpcClient.connect("inproc://book")) {
            BookOf2026 book = client.stub(BookOf2026.class);
            System.out.println(book.find("ABC"));
            book.cancel(7);
        } catch (RpcException e) {
            System.out.println(e.status());
        }
        // What a build asks before it is released; jvrpc diff OLD.jar NEW.jar says the same.
        SchemaDiff.of(List.of(schema(BookOf2025.class)), List.of(schema(BookOf2026.class)))
                .forEach(finding -> System.out.println(finding));
    }

    private static ServiceSchema schema(Class<?> service) {
        return ServiceSchema.of(ServiceDescriptor.of(service));
    }
    // snippet ends
}
