package org.jvrpc.runtime;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.jvrpc.testing.Waits;

/** Who may know whom. */
class ArrowTest {

    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("test-classes"))
            .importPackages("org.jvrpc.api", "org.jvrpc.verbs", "org.jvrpc.mlx5", "org.jvrpc.roce",
                    "org.jvrpc.fabric", "org.jvrpc.softrnic", "org.jvrpc.ibverbs", "org.jvrpc.offload",
                    "org.jvrpc.runtime");

    private static void knowsOnly(String room, String... others) {
        String[] allowed = new String[others.length + 3];
        allowed[0] = "java..";
        allowed[1] = "org.jspecify.annotations"; // what may be null
        allowed[2] = room;
        System.arraycopy(others, 0, allowed, 3, others.length);
        classes().that().resideInAPackage(room).and().haveNameNotMatching(".*Test.*|.*\\.contract\\..*")
                .should().onlyDependOnClassesThat().resideInAnyPackage(allowed).check(ALL);
    }

    @Test
    void everyRoomIsThere() {
        for (String room : List.of("api", "verbs", "mlx5", "roce", "fabric", "softrnic", "ibverbs", "offload",
                "runtime")) {
            assertTrue(ALL.stream().anyMatch(type -> (type.getPackageName() + ".")
                    .startsWith("org.jvrpc." + room + ".")), room);
        }
    }

    @Test
    void apiKnowsTheJdk() {
        knowsOnly("org.jvrpc.api..", "javax.security.auth.x500..");
    }

    @Test
    void verbsKnowsTheJdk() {
        knowsOnly("org.jvrpc.verbs..");
    }

    @Test
    void mlx5KnowsVerbs() {
        knowsOnly("org.jvrpc.mlx5..", "org.jvrpc.verbs..");
    }

    @Test
    void roceKnowsVerbs() {
        knowsOnly("org.jvrpc.roce..", "org.jvrpc.verbs..");
    }

    /** A state machine is told the time, and hands packets over: it has neither clock nor thread, socket nor chance. */
    @Test
    void roceHasNoClockThreadSocketOrRandomSource() {
        noClasses().that().resideInAPackage("org.jvrpc.roce..").should()
                .dependOnClassesThat(resideInAnyPackage("java.net..", "java.nio.channels..", "java.time..",
                        "java.util.concurrent..", "java.security..")
                        .or(type(Thread.class)).or(type(Random.class)).or(type(SplittableRandom.class)))
                .orShould().callMethod(System.class, "nanoTime")
                .orShould().callMethod(System.class, "currentTimeMillis")
                .check(ALL);
    }

    @Test
    void fabricKnowsVerbsAndRoce() {
        knowsOnly("org.jvrpc.fabric..", "org.jvrpc.verbs..", "org.jvrpc.roce..");
    }

    /** Its time and chance are simulated: only what prints how long a run took looks at a clock. */
    @Test
    void fabricHasNoClockThreadSocketOrRandomSource() {
        noClasses().that().resideInAPackage("org.jvrpc.fabric..")
                .and().haveNameNotMatching(".*\\.(Experiments|HopRate)").should()
                .dependOnClassesThat(resideInAnyPackage("java.net..", "java.nio.channels..", "java.time..",
                        "java.util.concurrent..", "java.security..")
                        .or(type(Thread.class)).or(type(Random.class)).or(type(SplittableRandom.class)))
                .orShould().callMethod(System.class, "nanoTime")
                .orShould().callMethod(System.class, "currentTimeMillis")
                .check(ALL);
    }

    @Test
    void softrnicKnowsVerbsMlx5AndRoce() {
        knowsOnly("org.jvrpc.softrnic..", "org.jvrpc.verbs..", "org.jvrpc.mlx5..", "org.jvrpc.roce..", "org.slf4j..",
                "jdk.net..");
    }

    @Test
    void ibverbsKnowsVerbsMlx5AndAloneTheNativeSide() {
        knowsOnly("org.jvrpc.ibverbs..", "org.jvrpc.verbs..", "org.jvrpc.mlx5..", "jnr.ffi..", "com.kenai.jffi..",
                "org.slf4j..");
        noClasses().that().resideOutsideOfPackage("org.jvrpc.ibverbs..").should().dependOnClassesThat()
                .resideInAnyPackage("jnr..", "com.kenai..", "org.jvrpc.ibverbs..").check(ALL);
    }

    @Test
    void offloadKnowsVerbsAndMlx5() {
        knowsOnly("org.jvrpc.offload..", "org.jvrpc.verbs..", "org.jvrpc.mlx5..");
    }

    @Test
    void runtimeKnowsTheApiVerbsOffloadsAndKryo() {
        classes().that().resideInAPackage("org.jvrpc.runtime..").should().onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "org.jvrpc.runtime..", "org.jvrpc.api..", "org.jvrpc.verbs..",
                        "org.jvrpc.offload.lookup", "org.jvrpc.offload.table", "com.esotericsoftware.kryo..",
                        "org.objenesis..", "org.jspecify.annotations", "org.slf4j..").check(ALL);
    }

    @Test
    void nobodyUsesWhatIsNotOfTheJdksOwnInterface() {
        noClasses().should().dependOnClassesThat().resideInAnyPackage("sun..", "jdk.internal..").check(ALL);
    }

    @Test
    void onlyGeneratedCodeAndTheRuntimeMeetInTheStubPackage() {
        noClasses().that().resideInAnyPackage("org.jvrpc.verbs..", "org.jvrpc.mlx5..", "org.jvrpc.roce..",
                        "org.jvrpc.fabric..", "org.jvrpc.softrnic..", "org.jvrpc.ibverbs..")
                .should().dependOnClassesThat().resideInAnyPackage("org.jvrpc.api..", "org.jvrpc.runtime..").check(ALL);
    }

    @Test
    void testSupportKnowsTheJdkJunitAndAsmAndNobodyKnowsItButTests() throws IOException {
        JavaClasses support = new ClassFileImporter().importPackages("org.jvrpc.testing");
        assertTrue(support.contain(Waits.class));
        classes().should().onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "javax.tools", "com.sun.management..", "org.jvrpc.testing..",
                        "org.junit.jupiter.api..", "org.objectweb.asm..")
                .check(support);
        noClasses().that().resideInAPackage("org.jvrpc.testing").should().dependOnClassesThat()
                .resideInAnyPackage("org.jvrpc.testing.crash", "org.jvrpc.testing.fuzz", "org.jvrpc.testing.history",
                        "org.jvrpc.testing.interleaving").check(support);
        noClasses().should().dependOnClassesThat().resideInAPackage("org.jvrpc.testing..").check(ALL);
        try (Stream<Path> files = Files.find(Path.of(System.getProperty("jvrpc.root")), 3,
                (path, attributes) -> path.endsWith("pom.xml"))) {
            for (Path pom : (Iterable<Path>) files::iterator) {
                for (String dependency : Files.readString(pom).split("<dependency>")) {
                    assertTrue(!dependency.contains("<artifactId>jvrpc-test-support</artifactId>\n      <version>")
                            || dependency.contains("<scope>test</scope>"), () -> pom + ": not in scope test");
                }
            }
        }
    }
}
