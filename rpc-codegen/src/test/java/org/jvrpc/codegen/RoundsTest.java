package org.jvrpc.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.List;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.codegen.Compilation.Source;

/** The processor beside others, in modules, and in places where nobody looks. */
class RoundsTest {

    private static final Source LATE_SERVICE = new Source("org/acme/Late.java", """
            package org.acme;
            @org.jvrpc.api.RpcService
            public interface Late {
                Made find(java.util.List<Made> list) throws MadeUp;
            }
            """);

    /** Writes a record and an exception in the second round. */
    private static final class Other extends AbstractProcessor {

        private int round;

        @Override
        public Set<String> getSupportedAnnotationTypes() {
            return Set.of("*");
        }

        @Override
        public SourceVersion getSupportedSourceVersion() {
            return SourceVersion.latestSupported();
        }

        @Override
        public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment environment) {
            switch (round++) {
                case 0 -> write("Nothing", "class Nothing { }");
                case 1 -> {
                    write("Made", "public record Made(int value) { }");
                    write("MadeUp", "public class MadeUp extends Exception {"
                            + " private static final long serialVersionUID = 1L; }");
                }
                default -> {
                }
            }
            return false;
        }

        private void write(String name, String text) {
            try (Writer file = processingEnv.getFiler().createSourceFile("org.acme." + name).openWriter()) {
                file.write("package org.acme; " + text);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void aServiceWaitsForTypesThatOtherProcessorsWrite() {
        Compilation compilation = Compilation.process(List.of(LATE_SERVICE), new Other());
        assertEquals(List.of(), compilation.messages());
        assertTrue(compilation.generated().containsKey("org/acme/LateStub.java"));
        assertTrue(compilation.classes().containsKey("org.acme.LateCodec"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Made", "java.util.List<Made>", "java.util.concurrent.Flow$Publisher<String>"})
    void aServiceWhoseTypeNobodyWritesSaysSo(String type) {
        Compilation compilation = Compilation.process(List.of(new Source("org/acme/Late.java", """
                package org.acme;
                @org.jvrpc.api.RpcService
                public interface Late {
                    %s find();
                }
                """.formatted(type))));
        assertTrue(compilation.messages().stream().anyMatch(message -> message.kind() == Diagnostic.Kind.ERROR
                && message.text().startsWith("cannot find symbol")), compilation.messages()::toString);
        assertTrue(compilation.messages().stream().anyMatch(message -> message.kind() == Diagnostic.Kind.WARNING
                && message.text().startsWith("nothing is generated for org.acme.Late: there is no type ")),
                compilation.messages()::toString);
    }

    @Test
    void aModuleThatCannotNameTheMarkGetsNone() {
        Source module = new Source("module-info.java", "module acme { exports org.acme; }");
        Source service = new Source("org/acme/Plain.java", """
                package org.acme;
                @org.jvrpc.api.RpcService
                public interface Plain {
                    int add(int a, int b);
                }
                """);
        Compilation compilation = Compilation.process(List.of(module, service), "--add-reads", "acme=ALL-UNNAMED");
        assertEquals(List.of(), compilation.messages());
        assertFalse(compilation.generated().get("org/acme/PlainStub.java").contains("Generated"));
    }

    @Test
    void aServiceMayLieInTheUnnamedPackage() {
        Source service = new Source("Bare.java", """
                @org.jvrpc.api.RpcService
                public interface Bare {
                    Value get(String name);
                    record Value(int number) { }
                }
                """);
        Compilation compilation = Compilation.process(List.of(service), "-Xlint:all", "-Werror");
        assertEquals(List.of(), compilation.messages());
        assertTrue(compilation.generated().containsKey("BareStub.java"));
    }
}
