package org.jvrpc.codegen;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

class ArrowTest {

    private static final JavaClasses PROCESSOR = new ClassFileImporter()
            .importUrl(RpcServiceProcessor.class.getProtectionDomain().getCodeSource().getLocation());

    @Test
    void theProcessorKnowsTheJdkTheApiAndJavaPoet() {
        classes().should().onlyDependOnClassesThat().resideInAnyPackage("java..", "javax.annotation.processing",
                "javax.lang.model..", "javax.tools", "com.palantir.javapoet", "org.jspecify..", "org.jvrpc.api..",
                "org.jvrpc.codegen..")
                .check(PROCESSOR);
    }

    @Test
    void theModelKnowsNeitherTheCompilerNorTheWriters() {
        noClasses().that().resideInAPackage("..model").should().dependOnClassesThat()
                .resideInAnyPackage("javax.lang.model..", "..codegen.parse", "..codegen.write").check(PROCESSOR);
    }

    @Test
    void parsersAndWritersMeetOnlyInTheModel() {
        noClasses().that().resideInAPackage("..codegen.parse").should().dependOnClassesThat()
                .resideInAPackage("..codegen.write").check(PROCESSOR);
        noClasses().that().resideInAPackage("..codegen.write").should().dependOnClassesThat()
                .resideInAnyPackage("..codegen.parse", "javax.lang.model.type").check(PROCESSOR);
    }
}
