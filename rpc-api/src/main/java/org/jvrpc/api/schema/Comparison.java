package org.jvrpc.api.schema;

import java.util.ArrayList;
import java.util.List;

/**
 * The rules by which two versions of a method understand each other. Their parameters and results are the same; of each
 * record and exception that both know, one has the components of the other and more behind them, all of these with
 * {@code @Since}; of each enum, one has the constants of the other and more behind them; of the declared exceptions,
 * too. Object graphs have no versions. One thread.
 */
final class Comparison {

    private final Sides sides;
    private final List<String> breaks = new ArrayList<>();
    private final List<String> additions = new ArrayList<>();
    private final List<String> removals = new ArrayList<>();
    private final List<String> lostConstants = new ArrayList<>();

    private Comparison(Sides sides) {
        this.sides = sides;
    }

    /** Compares two methods of the same key. @param sameObjects true when both sides register equal classes */
    static Comparison of(MethodSchema first, MethodSchema second, boolean sameObjects, Sides sides) {
        Comparison comparison = new Comparison(sides);
        if (!first.signature().equals(second.signature()) || first.hasObjects() && !sameObjects) {
            comparison.compare(first, second, sameObjects);
        }
        return comparison;
    }

    /** Returns why they do not understand each other; empty when they do. */
    List<String> breaks() {
        return breaks;
    }

    /** Returns what the second has in addition, in sentences. */
    List<String> additions() {
        return additions;
    }

    /** Returns what the second does not have any more and nobody needs, in sentences. */
    List<String> removals() {
        return removals;
    }

    /** Returns the constants that the second does not have any more, in sentences: who sends one has its call fail. */
    List<String> lostConstants() {
        return lostConstants;
    }

    private void compare(MethodSchema first, MethodSchema second, boolean sameObjects) {
        if (!first.result().equals(second.result())) {
            differ("the result", first.result(), second.result());
        }
        if (first.oneWay() != second.oneWay()) {
            differ("the method", kind(first), kind(second));
        }
        if ((first.hasObjects() || second.hasObjects()) && !sameObjects) {
            breaks.add("the registered classes of object graphs differ");
        }
        exceptions(first.thrown(), second.thrown());
        first.layouts().forEach((name, layout) -> {
            Layout other = second.layouts().get(name);
            if (other != null && layout.kind() != Layout.Kind.OBJECT) {
                layouts(layout, other);
            }
        });
    }

    private static String kind(MethodSchema method) {
        return method.oneWay() ? "one-way" : "answered";
    }

    private void differ(String what, String first, String second) {
        breaks.add(what + " is " + first + " in the " + sides.first() + " and " + second + " in the "
                + sides.second());
    }

    private void exceptions(List<Layout> first, List<Layout> second) {
        int common = Math.min(first.size(), second.size());
        for (int i = 0; i < common; i++) {
            if (!first.get(i).name().equals(second.get(i).name())) {
                differ("declared exception number " + (i + 1), first.get(i).name(), second.get(i).name());
                return;
            }
            layouts(first.get(i), second.get(i));
        }
        second.stream().skip(common).forEach(added -> additions.add("exception " + added.name() + " is declared: a peer"
                + " of the " + sides.first() + " sees INTERNAL in its place"));
        first.stream().skip(common).forEach(gone -> removals.add("exception " + gone.name() + " is not declared"));
    }

    private void layouts(Layout first, Layout second) {
        String what = first.kind().word() + " " + first.name();
        if (first.kind() != second.kind()) {
            differ(first.name(), first.kind().word(), second.kind().word());
            return;
        }
        int common = Math.min(first.parts().size(), second.parts().size());
        for (int i = 0; i < common; i++) {
            String one = first.parts().get(i).text();
            String other = second.parts().get(i).text();
            if (!one.equals(other)) {
                differ(what + ": " + (first.kind() == Layout.Kind.ENUM ? "constant " : "component ") + (i + 1), one,
                        other);
                return;
            }
        }
        rest(what, first, common, sides.first(), first.kind() == Layout.Kind.ENUM ? lostConstants : removals);
        rest(what, second, common, sides.second(), additions);
    }

    /** Notes what one side alone has behind the common parts. */
    private void rest(String what, Layout longer, int common, String side, List<String> notes) {
        for (Layout.Part part : longer.parts().subList(common, longer.parts().size())) {
            if (longer.kind() == Layout.Kind.ENUM) {
                notes.add(what + ": constant " + part.text() + " is in the " + side + " alone");
            } else if (part.since() > 0) {
                notes.add(what + ": component " + part.text() + " is in the " + side + " alone, since version "
                        + part.since());
            } else {
                breaks.add(what + ": component " + part.text() + " is in the " + side
                        + " alone and is not marked with @Since");
            }
        }
    }
}
