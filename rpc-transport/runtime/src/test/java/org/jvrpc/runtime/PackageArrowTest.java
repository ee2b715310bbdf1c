package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Which package of a module knows which other of the same module. The lists are exact: an arrow that is new fails as
 * one that has gone does. A root holds a module's vocabulary and its front doors, whose arrows are those from the root.
 */
class PackageArrowTest {

    private static String arrowsOf(String module) {
        Map<String, TreeSet<String>> arrows = new TreeMap<>();
        for (JavaClass type : new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
                .withImportOption(location -> !location.contains("test-classes")).importPackages(module)) {
            type.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> dependency.getTargetClass().getBaseComponentType().getPackageName())
                    .filter(other -> (other + ".").startsWith(module + "."))
                    .filter(other -> !other.equals(type.getPackageName()))
                    .forEach(other -> arrows.computeIfAbsent(name(module, type.getPackageName()), p -> new TreeSet<>())
                            .add(name(module, other)));
        }
        return arrows.entrySet().stream().map(entry -> entry.getKey() + " -> " + String.join(" ", entry.getValue()))
                .collect(Collectors.joining("\n"));
    }

    private static String name(String module, String room) {
        return room.equals(module) ? "root" : room.substring(module.length() + 1);
    }

    private static void assertArrows(String module, String... expected) {
        assertEquals(Arrays.stream(expected).sorted().collect(Collectors.joining("\n")), arrowsOf(module), module);
    }

    @Test
    void offload() {
        assertArrows("org.jvrpc.offload",
                "root -> build listing", // ProgramBuilder and Program alone
                "build -> root",
                "construct -> build root",
                "listing -> build construct lookup root",
                "lookup -> build root table",
                "hull -> lookup");
    }

    @Test
    void softrnic() {
        assertArrows("org.jvrpc.softrnic",
                "root -> chain datagram memory queue shm", // the device and its objects alone
                "queue -> memory",
                "rc -> memory queue",
                "datagram -> memory queue",
                "chain -> memory queue rc",
                "shm -> chain datagram memory queue rc");
    }

    @Test
    void queuePairsOfTheSoftwareRnicKnowNoPortButTheInterface() {
        JavaClass qp = new ClassFileImporter().importPackages("org.jvrpc.softrnic")
                .get("org.jvrpc.softrnic.SoftQueuePair");
        assertEquals(List.of(), qp.getDirectDependenciesFromSelf().stream()
                .map(dependency -> dependency.getTargetClass().getName())
                .filter(name -> name.matches(".*\\.softrnic\\.(shm|rc|roce)\\..*")).sorted().distinct().toList());
    }
}
