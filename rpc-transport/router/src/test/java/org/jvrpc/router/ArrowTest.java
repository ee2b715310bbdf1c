package org.jvrpc.router;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Who may know whom. */
class ArrowTest {

    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("org.jvrpc.router");

    @Test
    void aRouterKnowsDevicesAndNoCalls() {
        assertTrue(ALL.contain(TenantId.class));
        classes().that().resideInAPackage("org.jvrpc.router..").should().onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "javax.net.ssl..", "javax.crypto..", "jdk.net..", "org.jvrpc.router..",
                        "org.jvrpc.softrnic..", "org.jvrpc.mlx5..", "org.jvrpc.verbs..", "org.jvrpc.tcp.tls..",
                        "org.slf4j..")
                .check(ALL);
    }

    @Test
    void theVocabularyKnowsNoRoom() {
        classes().that().resideInAPackage("org.jvrpc.router").and()
                .haveNameNotMatching("org\\.jvrpc\\.router\\.RouterServer(\\$.*)?").should().onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "org.jvrpc.router", "org.jvrpc.softrnic.memory",
                        "org.jvrpc.softrnic.queue", "org.jvrpc.softrnic.router.wire", "org.jvrpc.verbs..").check(ALL);
    }

    @Test
    void roomsDoNotKnowEachOtherInCircles() {
        slices().matching("org.jvrpc.router.(*)..").should().beFreeOfCycles().allowEmptyShould(true).check(ALL);
    }
}
