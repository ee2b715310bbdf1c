package org.jvrpc.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.Diagnostic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.api.schema.SchemaJson;
import org.jvrpc.api.schema.ServiceSchema;
import org.jvrpc.codegen.Compilation.Message;
import org.jvrpc.codegen.Compilation.Source;

/** The descriptor that is written beside the classes, and comparing a build with one. */
class DescriptorTest {

    private static final String FILE = "META-INF/jvrpc/org.acme.Shop.json";

    @TempDir
    private Path folder;

    private static List<Source> shop(String component, String method) {
        return List.of(new Source("org/acme/Shop.java", """
                package org.acme;

                import org.jvrpc.api.*;

                @RpcService(name = "shop")
                public interface Shop {

                    Order find(long id);
                    %s

                    record Order(long id%s) {
                    }
                }
                """.formatted(method, component)));
    }

    @Test
    void aDescriptorIsWrittenForEachService() {
        Compilation compilation = Compilation.process(shop(", @Since(2) String note", "void stop();"));
        assertTrue(compilation.resources().containsKey(FILE), compilation.resources().keySet()::toString);
        ServiceSchema schema = SchemaJson.read(compilation.resources().get(FILE));
        assertEquals("""
                {
                  "jvrpc": 1,
                  "service": "shop",
                  "fingerprint": "%016x",
                  "objects": "0000000000000000",
                  "methods": [
                    ["find(long)org.acme.Shop.Order",
                     "org.acme.Shop.Order{id:long,note@2:String?}"],
                    ["stop()void"]
                  ]
                }
                """.formatted(schema.fingerprint()), compilation.resources().get(FILE));
        assertTrue(compilation.generated().get("org/acme/ShopService.java")
                .contains("0x%016xL".formatted(schema.fingerprint())));
    }

    private Path old(List<Source> sources) throws IOException {
        return Files.writeString(folder.resolve("old.json"), Compilation.process(sources).resources().get(FILE));
    }

    private static List<String> texts(Compilation compilation, Diagnostic.Kind kind) {
        return compilation.messages().stream().filter(message -> message.kind() == kind).map(Message::text).toList();
    }

    @Test
    void whatBreaksTheOldVersionIsAWarningOrAnError() throws IOException {
        String compare = "-Ajvrpc.compare=" + old(shop("", "void stop();"));
        List<String> texts = List.of("breaks old clients and old servers: shop: record org.acme.Shop.Order: component"
                + " note:String is in the new version alone and is not marked with @Since (find(long))",
                "breaks old clients: shop: a method is gone: their calls fail with UNIMPLEMENTED (stop())");
        List<Source> changed = shop(", String note", "");
        assertEquals(texts, texts(Compilation.process(changed, compare), Diagnostic.Kind.WARNING));
        Compilation failed = Compilation.process(changed, compare, "-Ajvrpc.breaking=error");
        assertEquals(texts, texts(failed, Diagnostic.Kind.ERROR));
        assertEquals(6, failed.messages().get(0).line(), "on the interface");
    }

    @Test
    void whatDoesNotBreakIsNotMentioned() throws IOException {
        String compare = "-Ajvrpc.compare=" + old(shop("", "void stop();"));
        assertEquals(List.of(), Compilation.process(shop(", @Since(1) String note", "void stop(); void go();"),
                compare, "-Ajvrpc.breaking=error").messages());
    }

    @Test
    void optionsThatCannotBeMeantAreErrors() {
        Path missing = folder.resolve("missing");
        assertEquals(List.of("-Ajvrpc.compare=" + missing + ": no such file or folder: " + missing),
                texts(Compilation.process(shop("", ""), "-Ajvrpc.compare=" + missing), Diagnostic.Kind.ERROR));
        assertEquals(List.of("-Ajvrpc.breaking=fatal: take warning or error"),
                texts(Compilation.process(shop("", ""), "-Ajvrpc.breaking=fatal"), Diagnostic.Kind.ERROR));
    }

    @Test
    void marksAreSeenInClassFilesToo() throws IOException {
        Map<String, byte[]> classes = Compilation.compile(List.of(new Source("lib/Item.java", """
                package lib;

                import org.jvrpc.api.*;

                public record Item(long id, @Since(2) String note, @Since(3) Kind kind) {

                    public enum Kind { A, @UnknownConstant B }

                    public static class Gone extends Exception {
                        private static final long serialVersionUID = 1L;
                        public Gone(@Since(4) int code) { }
                        public int code() { return 0; }
                    }
                }
                """)), "-parameters").classes();
        for (Map.Entry<String, byte[]> type : classes.entrySet()) {
            Path file = folder.resolve(type.getKey().replace('.', '/') + ".class");
            Files.createDirectories(file.getParent());
            Files.write(file, type.getValue());
        }
        List<Source> sources = new ArrayList<>(List.of(new Source("org/acme/Shop.java", """
                package org.acme;

                @org.jvrpc.api.RpcService
                interface Shop {
                    lib.Item find(long id) throws lib.Item.Gone;
                }
                """)));
        Compilation compilation = Compilation.processWith(folder, sources);
        assertEquals(List.of(), compilation.messages());
        String descriptor = compilation.resources().get(FILE);
        assertTrue(descriptor.contains("lib.Item{id:long,note@2:String?,kind@3:lib.Item.Kind?}"), descriptor);
        assertTrue(descriptor.contains("lib.Item.Gone{code@4:int}"), descriptor);
        assertTrue(compilation.generated().get("org/acme/ShopCodec.java").contains("Item.Kind.B)"));
    }
}
