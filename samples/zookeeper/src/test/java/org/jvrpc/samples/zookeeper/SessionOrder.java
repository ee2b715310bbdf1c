package org.jvrpc.samples.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a session asked for, in its order, and whether it was done in that order, connections or not: a list of the
 * children of a node, asked for after a child was to be made, has that child, unless it is never made. Nobody else
 * makes children of the node and nobody deletes them. Adding is for one thread, answers are for any.
 */
final class SessionOrder {

    /** A request; {@code children} is null for one that makes a child, and for a list without an answer. */
    private static final class Step {
        private final String made;
        private boolean acknowledged;
        private Set<String> children;

        Step(String made) {
            this.made = made;
        }
    }

    private final List<Step> steps = new ArrayList<>();

    /** Notes that a child is to be made; returns the number of the step. */
    synchronized int makes(String child) {
        steps.add(new Step(child));
        return steps.size() - 1;
    }

    /** Notes that children are asked for; returns the number of the step. */
    synchronized int lists() {
        steps.add(new Step(null));
        return steps.size() - 1;
    }

    /** Notes that a child was made, as its answer says. */
    synchronized void made(int step) {
        steps.get(step).acknowledged = true;
    }

    /** Notes the answer to a list. */
    synchronized void listed(int step, List<String> children) {
        steps.get(step).children = new TreeSet<>(children);
    }

    /** Returns how many children were made without an answer that said so. */
    synchronized int madeUnanswered(List<String> atTheEnd) {
        return (int) steps.stream().filter(step -> step.made != null && !step.acknowledged
                && atTheEnd.contains(step.made)).count();
    }

    /**
     * Returns what is wrong; nothing when all is well.
     *
     * @param atTheEnd the children that there are when all is over
     */
    synchronized List<String> faults(List<String> atTheEnd) {
        List<String> faults = new ArrayList<>();
        Set<String> due = new TreeSet<>();
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            if (step.made != null) {
                if (atTheEnd.contains(step.made)) {
                    due.add(step.made);
                } else if (step.acknowledged) {
                    faults.add("step " + i + ": " + step.made + " was acknowledged and is lost");
                }
            } else if (step.children != null && !step.children.containsAll(due)) {
                Set<String> missing = new TreeSet<>(due);
                missing.removeAll(step.children);
                faults.add("step " + i + ": a list overtook the making of " + missing);
            }
        }
        return faults;
    }
}
