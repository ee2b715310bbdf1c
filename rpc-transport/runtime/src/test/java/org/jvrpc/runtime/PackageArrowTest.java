package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
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
                "root -> build listing queue wr", // ProgramBuilder and Program alone
                "wr -> queue",
                "build -> queue wr",
                "construct -> build queue root wr",
                "listing -> build construct lookup queue root wr",
                "lookup -> build queue root table wr",
                "hull -> lookup");
    }

    @Test
    void softrnic() {
        assertArrows("org.jvrpc.softrnic",
                // the device
                "root -> chain datagram memory queue roce roce.ring roce.socket router router.wire shm shm.folder",
                "queue -> memory",
                "rc -> memory queue",
                "datagram -> memory queue",
                "chain -> memory queue rc",
                "roce -> chain datagram memory queue rc roce.ring roce.socket",
                "roce.ring -> chain memory queue rc",
                // a tenant's device lies in a folder as those of shm:// do
                "router -> datagram memory queue router.wire shm",
                "shm -> chain datagram memory queue rc shm.folder",
                "shm.folder -> datagram memory");
    }

    @Test
    void roce() {
        assertArrows("org.jvrpc.roce",
                "capture -> wire",
                "cm -> cm.message",
                "rc -> wire",
                "ud -> wire");
    }

    @Test
    void fabric() {
        assertArrows("org.jvrpc.fabric",
                "network -> event",
                "cost -> event",
                "host -> cost event network",
                "topology -> event host network",
                "trace -> event host network topology",
                "experiment -> event host network topology trace",
                "replay -> event host network topology",
                "search -> event host network topology");
    }

    @Test
    void queuePairsOfTheSoftwareRnicKnowNoPortButTheInterface() {
        JavaClass qp = new ClassFileImporter().importPackages("org.jvrpc.softrnic")
                .get("org.jvrpc.softrnic.SoftQueuePair");
        assertEquals(List.of(), qp.getDirectDependenciesFromSelf().stream()
                .map(dependency -> dependency.getTargetClass().getName())
                .filter(name -> name.matches(".*\\.softrnic\\.(shm|rc|roce)\\..*")).sorted().distinct().toList());
    }

    // ---- runtime

    private static final String RUNTIME = "org.jvrpc.runtime";
    /** What users begin with; its other public types are vocabulary. */
    private static final Set<String> FRONT_DOORS =
            Set.of("RpcClient", "RpcServer", "MessageClient", "MessageServer", "OffloadedMethod");

    /** Rooms of vocabulary, which users see as they see the root. */
    private static final Set<String> PUBLIC_ROOMS =
            Set.of(RUNTIME + ".balance", RUNTIME + ".counters",
            RUNTIME + ".counters.totals", RUNTIME + ".resolve");

    @Test
    void runtime() {
        assertArrows(RUNTIME,
                // of front doors alone: see below
                "root -> balance channel channel.lookup connection guard health invocation message offload resolve"
                        + " retry route server server.setup session",
                "thread -> root",
                "guard -> root thread",
                "session -> guard root thread",
                "poll -> thread",
                "transport -> guard root session thread",
                "memory -> session",
                "inproc -> guard memory session thread transport",
                "verbs -> guard root session thread transport",
                "service -> graph guard thread",
                "offload -> guard root service session thread",
                "invocation -> thread",
                "retry -> invocation service thread",
                "client -> client.callback counters.write invocation service session thread",
                "client.callback -> session thread",
                "connection -> balance client counters.write graph invocation offload route service session"
                        + " stream.client thread transport verbs",
                "balance -> resolve",
                "route -> balance invocation",
                "health -> graph route thread",
                "introspect -> root service session",
                "channel -> balance channel.lookup connection graph health invocation resolve route service session"
                        + " thread verbs",
                "channel.lookup -> balance resolve session thread",
                "counters.totals -> counters",
                "counters.write -> counters thread",
                "server -> counters.write graph guard health offload poll root server.queue server.setup service"
                        + " session stream.server thread transport verbs",
                "server.setup -> guard health introspect offload root service session",
                "server.queue -> counters.write session stream.server",
                "stream -> poll root session stream.memory stream.piece thread",
                "stream.client -> counters.write invocation service session stream stream.memory stream.piece thread"
                        + " transport verbs",
                "stream.memory -> stream.piece",
                "stream.piece -> service session",
                "stream.server -> counters.write guard root service session stream stream.memory stream.piece thread",
                "message -> counters.write guard poll root session thread transport verbs");
    }

    private static Set<JavaClass> classesOf(String module) {
        return new HashSet<>(new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
                .withImportOption(location -> !location.contains("test-classes")).importPackages(module));
    }

    private static boolean isFrontDoor(JavaClass type) {
        return type.getPackageName().equals(RUNTIME)
                && FRONT_DOORS.contains(type.getName().substring(RUNTIME.length() + 1).split("\\$")[0]);
    }

    private static Set<String> arrows(Predicate<JavaClass> from, Predicate<JavaClass> to) {
        return classesOf(RUNTIME).stream().filter(from)
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .filter(arrow -> to.test(arrow.getTargetClass().getBaseComponentType()))
                .map(arrow -> arrow.getOriginClass().getName() + " -> "
                        + arrow.getTargetClass().getBaseComponentType().getName())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void theVocabularyOfRuntimeKnowsNoRoomAndNoRoomKnowsAFrontDoor() {
        assertEquals(Set.of(), arrows(type -> type.getPackageName().equals(RUNTIME) && !isFrontDoor(type),
                type -> type.getPackageName().startsWith(RUNTIME + ".") || isFrontDoor(type)), "vocabulary");
        assertEquals(Set.of(), arrows(type -> type.getPackageName().startsWith(RUNTIME + "."),
                PackageArrowTest::isFrontDoor), "rooms");
    }

    @Test
    void noPublicSignatureOfRuntimeShowsARoom() {
        Set<String> shown = new TreeSet<>();
        for (JavaClass type : classesOf(RUNTIME)) {
            if (type.getPackageName().equals(RUNTIME)) {
                for (JavaCodeUnit unit : type.getCodeUnits()) {
                    unit.getAllInvolvedRawTypes().stream()
                            .filter(used -> !PUBLIC_ROOMS.contains(used.getPackageName()))
                            .filter(used -> unit.getModifiers().contains(JavaModifier.PUBLIC))
                            .filter(used -> used.getPackageName().startsWith(RUNTIME + "."))
                            .forEach(used -> shown.add(unit.getFullName() + " shows " + used.getName()));
                }
            }
        }
        assertEquals(Set.of(), shown);
    }

    /** Sessions stand on a link, whatever carries it: those outside the room of verbs that know verbs all the same. */
    @Test
    void sessionsKnowNoVerbs() {
        Set<String> knowing = arrows(type -> !type.getPackageName().equals(RUNTIME + ".verbs"),
                type -> type.getPackageName().startsWith("org.jvrpc.verbs")
                        && !type.getPackageName().equals("org.jvrpc.verbs.rare") // marks for tests, of any branch
                        && !type.getPackageName().equals("org.jvrpc.verbs.host")); // which process this is
        assertEquals(Set.of(
                "transport.ClientTransport", // has a device for offloads, or none
                "transport.ServerTransport", // as well
                "inproc.InprocClient", // has none
                "inproc.InprocServer", // as well
                "offload.OffloadConnector", // connects to programs, which are made of verbs
                "offload.ServerOffloads", // hosts them
                "OffloadSettings"), // where their answers lie
                knowing.stream().map(arrow -> arrow.split(" ")[0].substring(RUNTIME.length() + 1))
                        .collect(Collectors.toSet()), () -> String.join("\n", knowing));
    }

    /** Clients and servers are given their clock and their threads. */
    @Test
    void oneRoomReadsTheClockAndMakesThreads() {
        Set<String> found = new TreeSet<>();
        for (JavaClass type : classesOf(RUNTIME)) {
            type.getCodeUnitCallsFromSelf().stream().map(call -> call.getTarget().getOwner().getName() + "."
                            + call.getTarget().getName())
                    .filter(Set.of("java.lang.System.nanoTime", "java.lang.System.currentTimeMillis",
                            "java.lang.Thread.<init>")::contains)
                    .filter(target -> !type.getPackageName().equals(RUNTIME + ".thread"))
                    .forEach(target -> found.add(type.getName() + " calls " + target));
        }
        assertEquals(Set.of(), found);
    }
}
