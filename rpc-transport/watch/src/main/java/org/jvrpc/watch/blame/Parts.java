package org.jvrpc.watch.blame;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.watch.Component;

/** Numbers for components, in the order in which they are met. */
final class Parts {

    /** Between the names of a cable's ends: {@code L1<>T0}. */
    static final String BOTH_WAYS = "<>";

    private final Map<Component, Integer> numbers = new HashMap<>();
    private final Map<String, Integer> switches = new HashMap<>();
    private final List<Component> parts = new ArrayList<>();

    /** Returns the number of a component, a new one when it is met for the first time. */
    int number(Component part) {
        Integer known = numbers.get(part);
        if (known != null) {
            return known;
        }
        int number = parts.size();
        numbers.put(part, number);
        parts.add(part);
        if (part.kind() != Component.Kind.LINK) {
            switches.put(part.name(), number);
        }
        return number;
    }

    /** Returns the number of a cable, which is the link of both ways. */
    int cable(Component link) {
        int arrow = link.name().indexOf('>');
        String from = link.name().substring(0, arrow);
        String to = link.name().substring(arrow + 1);
        boolean inOrder = from.compareTo(to) < 0;
        return number(new Component(Component.Kind.LINK,
                inOrder ? from + BOTH_WAYS + to : to + BOTH_WAYS + from));
    }

    /** Returns the number of a component, of the cable when it is a link of one way. */
    int whole(Component part) {
        boolean isOneWay = part.kind() == Component.Kind.LINK && !part.name().contains(BOTH_WAYS);
        return isOneWay ? cable(part) : number(part);
    }

    Component part(int number) {
        return parts.get(number);
    }

    int size() {
        return parts.size();
    }

    /** Returns the components at the ends of a link, or the component itself; -1 for what no path has met. */
    int[] ends(int number) {
        Component part = parts.get(number);
        if (part.kind() != Component.Kind.LINK) {
            return new int[] {number};
        }
        String[] names = part.name().split("<?>");
        return new int[] {switches.getOrDefault(names[0], -1), switches.getOrDefault(names[names.length - 1], -1)};
    }
}
