package org.jvrpc.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.jvrpc.spring.client.JvrpcClientAutoConfiguration;
import org.jvrpc.spring.health.JvrpcHealthAutoConfiguration;
import org.jvrpc.spring.orders.Greeter;
import org.jvrpc.spring.orders.GreeterBean;
import org.jvrpc.spring.server.JvrpcServerAutoConfiguration;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

/** What native images begin with: Spring writes code that makes the beans. That it runs is not tried here. */
class AheadOfTimeTest {

    @ImportJvrpcClients(value = "orders", types = Greeter.class)
    static class Calls {
    }

    @Test
    void aContextIsWrittenAheadOfTime() throws Exception {
        InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
        DefaultGenerationContext generation = new DefaultGenerationContext(
                new ClassNameGenerator(ClassName.get("org.acme", "Shop")), files);
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            TestPropertyValues.of("jvrpc.server.addresses=inproc://ahead",
                    "jvrpc.clients.orders.address=inproc://ahead").applyTo(context);
            context.register(JvrpcServerAutoConfiguration.class, JvrpcClientAutoConfiguration.class,
                    JvrpcHealthAutoConfiguration.class, GreeterBean.class, Calls.class);
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            generation.writeGeneratedContent();
        }
        StringBuilder code = new StringBuilder();
        for (String name : files.getGeneratedFiles(Kind.SOURCE).keySet()) {
            code.append(files.getGeneratedFileContent(Kind.SOURCE, name));
        }
        assertThat(code).contains("ServerLifecycle",
                "AutowireCandidateQualifier(\"org.jvrpc.spring.JvrpcClient\", \"orders\")");
        assertThat(generation.getRuntimeHints().reflection().typeHints())
                .anyMatch(hint -> hint.getType().getName().equals("java.util.concurrent.Executors"));
    }
}
