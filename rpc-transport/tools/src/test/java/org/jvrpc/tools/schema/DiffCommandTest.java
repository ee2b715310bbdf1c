package org.jvrpc.tools.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.api.schema.MethodSchema;
import org.jvrpc.api.schema.SchemaJson;
import org.jvrpc.api.schema.ServiceSchema;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.tools.call.Shop;
import org.jvrpc.tools.call.ShopInMemory;
import picocli.CommandLine;

class DiffCommandTest {

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private String descriptor(String name, String... signatures) throws IOException {
        ServiceSchema schema = new ServiceSchema("shop", 1, 0,
                Stream.of(signatures).map(MethodSchema::parse).toList());
        return Files.writeString(folder.resolve(name), SchemaJson.write(schema)).toString();
    }

    private int run(String... arguments) {
        return new CommandLine(new DiffCommand()).setOut(new PrintWriter(out)).setErr(new PrintWriter(err))
                .execute(arguments);
    }

    @Test
    void versionsThatUnderstandEachOtherAreFine() throws IOException {
        String old = descriptor("old.json", "f()void");
        assertEquals(0, run(old, old));
        assertEquals("Nothing changed.\n", out.toString());
        out.getBuffer().setLength(0);
        assertEquals(0, run(old, descriptor("new.json", "f()void", "g()void")));
        assertEquals("""
                compatible: shop: a method is new: at old servers its calls fail with UNIMPLEMENTED (g())
                No change breaks peers of the old version.
                """, out.toString());
    }

    @Test
    void whatBreaksIsSaidFirst() throws IOException {
        assertEquals(1, run(descriptor("old.json", "f()void"), descriptor("new.json", "f()int", "g()void")));
        assertEquals("""
                breaks old clients and old servers: shop: the result is void in the old version and int in the new \
                version (f())
                compatible: shop: a method is new: at old servers its calls fail with UNIMPLEMENTED (g())
                1 of 2 changes break peers of the old version.
                """, out.toString());
    }

    @Test
    void findingsAreJsonOnDemand() throws IOException {
        assertEquals(1, run("--json", descriptor("old.json", "f()void"), descriptor("new.json")));
        assertEquals("""
                {"breaks":true,"findings":[
                {"effect":"breaks_old_clients","service":"shop","methods":["f()"],"text":"a method is gone: their calls\
                 fail with UNIMPLEMENTED"}
                ]}
                """, out.toString());
    }

    @Test
    void whatCannotBeReadIsMisuse() throws IOException {
        String old = descriptor("old.json");
        for (List<String> arguments
                : List.of(List.of(old), List.of(old, folder + "/none"), List.of("--no", old, old))) {
            assertEquals(2, run(arguments.toArray(String[]::new)), arguments.toString());
        }
        assertEquals(2, run(old, folder + "/none"));
        assertEquals(true, err.toString().contains("no such file or folder: " + folder + "/none"), err.toString());
    }

    @Test
    void aServerThatRunsIsAVersion() throws IOException {
        String old = SchemaJson.write(ServiceSchema.of(ServiceDescriptor.of(Shop.class)))
                .replaceFirst("\\[\"fill\\(", "[\"filled(");
        String file = Files.writeString(folder.resolve("old.json"), old).toString();
        RpcServer.Builder server = RpcServer.builder().bind("inproc://diff").service(Shop.class, new ShopInMemory());
        try (RpcServer running = server.reflection(true).start()) {
            assertEquals(1, run(file, running.address()));
            assertTrue(out.toString().contains("a method is gone: their calls fail with UNIMPLEMENTED (filled("),
                    out.toString());
        }
        try (RpcServer silent = server.reflection(false).start()) {
            assertEquals(2, run(file, silent.address()));
            assertTrue(err.toString().contains("the services of inproc://diff cannot be read"), err.toString());
        }
    }
}
