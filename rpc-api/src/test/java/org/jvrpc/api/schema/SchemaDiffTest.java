package org.jvrpc.api.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules of what may change, one by one, in both directions where they differ. */
class SchemaDiffTest {

    private static ServiceSchema service(long objects, String... signatures) {
        return new ServiceSchema("s", Arrays.hashCode(signatures) + objects, objects,
                Stream.of(signatures).map(MethodSchema::parse).toList());
    }

    private static String diff(ServiceSchema before, ServiceSchema after) {
        return String.join("\n", SchemaDiff.of(before, after).stream().map(Finding::toString).toList());
    }

    private static String diff(String before, String after) {
        return diff(service(0, before), service(0, after));
    }

    /** True when the two versions understand each other when they meet, whichever is the client. */
    private static boolean agree(String before, String after) {
        boolean one = Agreement.of(service(0, before), service(0, after)).methods().get(0).index() == 0;
        assertEquals(one, Agreement.of(service(0, after), service(0, before)).methods().get(0).index() == 0);
        return one;
    }

    private static void compatible(String text, String before, String after) {
        assertEquals("compatible: s: " + text, diff(before, after));
        assertEquals(true, agree(before, after));
    }

    private static void breaks(String text, String before, String after) {
        assertEquals("breaks old clients and old servers: s: " + text, diff(before, after));
        assertEquals(false, agree(before, after));
    }

    @Test
    void nothingIsNoChange() {
        assertEquals("", diff("f()void", "f()void"));
    }

    @Test
    void methodsMayBeAddedNotTakenAway() {
        ServiceSchema one = service(0, "f()void");
        ServiceSchema two = service(0, "f()void", "g()void");
        assertEquals("compatible: s: a method is new: at old servers its calls fail with UNIMPLEMENTED (g())",
                diff(one, two));
        assertEquals("breaks old clients: s: a method is gone: their calls fail with UNIMPLEMENTED (g())",
                diff(two, one));
    }

    @Test
    void resultsAndKindsMayNotChange() {
        breaks("the result is int in the old version and long in the new version (f())", "f()int", "f()long");
        breaks("the method is answered in the old version and one-way in the new version (f())", "f()void",
                "f()void oneway");
    }

    @Test
    void elementsOfStreamsGoByTheSameRules() {
        breaks("the result is stream of int in the old version and stream of long in the new version (f())",
                "f()stream of int", "f()stream of long");
        breaks("the result is int in the old version and stream of int in the new version (f())", "f()int",
                "f()stream of int");
        String one = "f(stream of a.R)void a.R{x:int}";
        compatible("record a.R: component y:String? is in the new version alone, since version 2 (f(stream of a.R))",
                one, "f(stream of a.R)void a.R{x:int,y@2:String?}");
        breaks("record a.R: component 1 is x:int in the old version and x:long in the new version (f(stream of a.R))",
                one, "f(stream of a.R)void a.R{x:long}");
        assertEquals("breaks old clients: s: a method is gone: their calls fail with UNIMPLEMENTED (f(stream of int))"
                + "\ncompatible: s: a method is new: at old servers its calls fail with UNIMPLEMENTED"
                + " (f(stream of long))",
                diff("f(stream of int)void", "f(stream of long)void"));
    }

    @Test
    void componentsWithSinceMayBeAddedAndTakenAwayAtTheEnd() {
        String one = "f(a.R)void a.R{x:int}";
        String two = "f(a.R)void a.R{x:int,y@2:String?}";
        compatible("record a.R: component y:String? is in the new version alone, since version 2 (f(a.R))", one, two);
        compatible("record a.R: component y:String? is in the old version alone, since version 2 (f(a.R))", two, one);
        assertEquals("", diff(two, two.replace("@2", "")), "once all peers have it the mark may go");
    }

    @Test
    void otherComponentsMayNot() {
        breaks("record a.R: component y:int is in the new version alone and is not marked with @Since (f(a.R))",
                "f(a.R)void a.R{x:int}", "f(a.R)void a.R{x:int,y:int}");
        breaks("record a.R: component y:int is in the old version alone and is not marked with @Since (f(a.R))",
                "f(a.R)void a.R{x:int,y:int}", "f(a.R)void a.R{x:int}");
        breaks("record a.R: component 1 is x:int in the old version and y:int in the new version (f(a.R))",
                "f(a.R)void a.R{x:int}", "f(a.R)void a.R{y:int}");
        breaks("record a.R: component 1 is x:int in the old version and x:long in the new version (f(a.R))",
                "f(a.R)void a.R{x:int}", "f(a.R)void a.R{x:long}");
    }

    @Test
    void constantsMayBeAddedAtTheEnd() {
        compatible("enum a.E: constant B is in the new version alone (f(a.E))", "f(a.E)void a.E[A]",
                "f(a.E)void a.E[A,B]");
        breaks("enum a.E: constant 1 is A in the old version and B in the new version (f(a.E))", "f(a.E)void a.E[A]",
                "f(a.E)void a.E[B,A]");
        assertEquals("breaks old clients and old servers: s: enum a.E: constant B is in the old version alone (f(a.E))",
                diff("f(a.E)void a.E[A,B]", "f(a.E)void a.E[A]"));
        assertEquals(true, agree("f(a.E)void a.E[A,B]", "f(a.E)void a.E[A]"), "until somebody sends it");
    }

    @Test
    void exceptionsMayBeAddedAtTheEnd() {
        compatible("exception a.G is declared: a peer of the old version sees INTERNAL in its place (f())",
                "f()void throws a.F{}", "f()void throws a.F{},a.G{}");
        compatible("exception a.G is not declared (f())", "f()void throws a.F{},a.G{}", "f()void throws a.F{}");
        breaks("declared exception number 1 is a.F in the old version and a.G in the new version (f())",
                "f()void throws a.F{},a.G{}", "f()void throws a.G{},a.F{}");
        compatible("exception a.F: component y:int is in the new version alone, since version 1 (f())",
                "f()void throws a.F{x:int}", "f()void throws a.F{x:int,y@1:int}");
    }

    @Test
    void objectGraphsHaveNoVersions() {
        String graph = "f(object a.G)void object a.G{x:int}";
        ServiceSchema before = service(1, graph, "g()void");
        ServiceSchema after = service(2, graph, "g()void");
        assertEquals("breaks old clients and old servers: s: the registered classes of object graphs differ"
                + " (f(object a.G))", diff(before, after));
        assertEquals(List.of(-1, 1), Agreement.of(before, after).methods().stream()
                .map(Agreement.Outcome::index).toList());
        assertEquals(List.of(0, 1), Agreement.of(before, service(1, graph, "g()void", "h()void")).methods().stream()
                .map(Agreement.Outcome::index).toList());
        assertEquals(-1, Agreement.of(service(0, graph), service(0, graph, "h()void")).methods().get(0).index(),
                "a client that does not say what it registers");
    }

    @Test
    void aChangeThatManyMethodsReachIsToldOnce() {
        assertEquals("compatible: s: enum a.E: constant B is in the new version alone (f(a.E), g(a.E))",
                diff(service(0, "f(a.E)void a.E[A]", "g(a.E)void a.E[A]"),
                        service(0, "f(a.E)void a.E[A,B]", "g(a.E)void a.E[A,B]")));
    }

    @Test
    void servicesAreToldApartByTheirNames() {
        ServiceSchema one = service(0, "f()void");
        ServiceSchema other = new ServiceSchema("t", 1, 0, List.of());
        assertEquals(List.of("breaks old clients: s: the service is gone", "compatible: t: the service is new"),
                SchemaDiff.of(List.of(one), List.of(other)).stream().map(Finding::toString).toList());
    }
}
