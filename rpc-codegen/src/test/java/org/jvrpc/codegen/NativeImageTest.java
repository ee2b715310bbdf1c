package org.jvrpc.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.jvrpc.codegen.Compilation.Source;

/** What native-image is told of a service. */
class NativeImageTest {

    private static String metadata(String name, String members) {
        Compilation compilation = Compilation.process(List.of(new Source("org/acme/Shop.java", """
                package org.acme;

                import java.util.*;
                import org.jvrpc.api.*;

                public interface Shop {

                    @RpcService
                    interface Desk {
                        %s
                    }

                    enum Mark { A, B }

                    final class Part {
                        List<Part> parts = new ArrayList<>();
                        Mark mark;
                    }
                }
                """.formatted(members))));
        assertEquals(List.of(), compilation.messages());
        assertEquals(Set.of("META-INF/jvrpc/org.acme.Shop.Desk.json", name), compilation.resources().keySet());
        return compilation.resources().get(name);
    }

    private static String metadata(String members) {
        return metadata("META-INF/native-image/org.jvrpc.codegen/org.acme.Shop$Desk/reachability-metadata.json",
                members);
    }

    @Test
    void theDescriptorIsFoundByItsName() {
        assertEquals("""
                {
                  "reflection": [
                    {"type": "org.acme.Shop_DeskService", "methods": [{"name": "<init>", "parameterTypes": []}]}
                  ]
                }
                """, metadata("long sum(long a, long b);"));
    }

    @Test
    void classesOfObjectGraphsAreMadeAndReadByReflection() {
        assertEquals("""
                {
                  "reflection": [
                    {"type": "org.acme.Shop_DeskService", "methods": [{"name": "<init>", "parameterTypes": []}]},
                    {"type": "java.util.ArrayList", "allDeclaredConstructors": true},
                    {"type": "org.acme.Shop$Mark", "allDeclaredConstructors": true, "allDeclaredFields": true},
                    {"type": "org.acme.Shop$Part", "allDeclaredConstructors": true, "allDeclaredFields": true}
                  ]
                }
                """, metadata("Part find(long id);"));
    }

    @Test
    void anOffloadNeedsAProxy() {
        assertEquals("""
                {
                  "reflection": [
                    {"type": "org.acme.Shop_DeskService", "methods": [{"name": "<init>", "parameterTypes": []}]},
                    {"type": {"proxy": ["org.acme.Shop$Desk"]}}
                  ]
                }
                """, metadata("@Offload long find(long id);"));
    }
}
