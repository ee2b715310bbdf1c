package org.jvrpc.watch;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may know whom. */
class ArrowTest {

    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("org.jvrpc.watch");

    @Test
    void watchKnowsVerbsAndItsLibraries() {
        assertTrue(ALL.contain(Clock.class));
        classes().that().resideOutsideOfPackage("org.jvrpc.watch.fabric..").should().onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "javax.crypto..", "org.jvrpc.watch..", "org.jvrpc.verbs..", "org.slf4j..",
                        "org.HdrHistogram..", "com.sun.net.httpserver..", "org.h2.mvstore..", "org.yaml.snakeyaml..",
                        "org.apache.curator..", "org.apache.zookeeper..").check(ALL);
    }

    /** A library that goes is missed by one room alone. */
    @ParameterizedTest
    @CsvSource({"history, org.h2..", "drift, org.yaml..", "registry, org.apache..", "rperf, org.HdrHistogram..",
        "web, com.sun.net.."})
    void eachLibraryIsKnownToOneRoom(String room, String library) {
        noClasses().that(resideOutsideOfPackage("org.jvrpc.watch." + room + "..")).should()
                .dependOnClassesThat(resideInAnyPackage(library)).check(ALL);
    }

    @Test
    void theVocabularyKnowsNoRoom() {
        classes().that().resideInAPackage("org.jvrpc.watch").should().onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "org.jvrpc.watch", "org.jvrpc.verbs..").check(ALL);
    }

    @Test
    void roomsDoNotKnowEachOtherInCircles() {
        slices().matching("org.jvrpc.watch.(*)..").should().beFreeOfCycles().check(ALL);
    }

    @Test
    void whoTellsWaysKnowsTheVocabularyAlone() {
        classes().that().resideInAPackage("org.jvrpc.watch.paths..").should().onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "org.jvrpc.watch", "org.jvrpc.watch.paths..").check(ALL);
    }

    @Test
    void whoJudgesKnowsReportsAlone() {
        classes().that().resideInAPackage("org.jvrpc.watch.blame..").should().onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "org.jvrpc.watch", "org.jvrpc.watch.blame..", "org.jvrpc.watch.report")
                .check(ALL);
    }
}
