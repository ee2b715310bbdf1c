package org.jvrpc.testing.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jvrpc.testing.history.Linearizability.Outcome;

/**
 * The search for an order, of one key: J. Wing, C. Gong, Testing and Verifying Concurrent Objects (1993), with the
 * memory of G. Lowe, Testing for Linearizability (2017): a set of operations that has been done, with the state it
 * left, is never tried again. An operation may be the next one as long as no other one that is not done has ended
 * before it began. Pending ones have no end: the search is over when all others are done.
 */
final class Search<S> {

    private final Model<S> model;
    /** Those that ended, in the order of their starts, then those that are pending. */
    private final List<Operation> operations;
    private final int ended;
    private final int most;
    private final Node head = new Node(-1, false);
    private final Set<Configuration<S>> tried = new HashSet<>();
    private final Deque<Step<S>> steps = new ArrayDeque<>();
    private final BitSet done = new BitSet();

    /** The begin or the end of an operation, in the order of time. */
    private static final class Node {

        final int operation;
        final boolean isEnd;
        Node end;
        Node before;
        Node after;

        Node(int operation, boolean isEnd) {
            this.operation = operation;
            this.isEnd = isEnd;
        }

        void takeOut() {
            before.after = after;
            if (after != null) {
                after.before = before;
            }
        }

        void putBack() {
            before.after = this;
            if (after != null) {
                after.before = this;
            }
        }
    }

    /**
     * What was done, and the state it left. Of those that ended nearly all that began before some instant are done and
     * none that began much later, so that little says which.
     *
     * @param firstOpen all before it are done
     * @param beyond which are done from there on
     * @param pending which are done of these
     */
    private record Configuration<S>(int firstOpen, BitSet beyond, BitSet pending, S state) {
    }

    private record Step<S>(Node begin, S before) {
    }

    private record Event(Node node, long ns) {
    }

    Search(Model<S> model, List<Operation> operations, int most) {
        this.model = model;
        this.operations = operations.stream()
                .sorted(Comparator.comparing(Operation::isPending).thenComparing(Operation::startNs)).toList();
        this.ended = (int) operations.stream().filter(operation -> !operation.isPending()).count();
        this.most = most;
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < operations.size(); i++) {
            Node begin = new Node(i, false);
            events.add(new Event(begin, this.operations.get(i).startNs()));
            if (i < ended) {
                begin.end = new Node(i, true);
                events.add(new Event(begin.end, this.operations.get(i).endNs()));
            }
        }
        // Of one instant, begins come first: what cannot be told apart overlaps.
        events.sort(Comparator.comparingLong(Event::ns).thenComparing(event -> event.node.isEnd));
        Node last = head;
        for (Event each : events) {
            each.node.before = last;
            last.after = each.node;
            last = each.node;
        }
    }

    Outcome run() {
        int open = ended;
        S state = model.initial();
        Node at = head.after;
        while (open > 0) { // so that there is an end yet, and the walk meets it
            if (at.isEnd) {
                if (steps.isEmpty()) {
                    return Outcome.VIOLATION;
                }
                Step<S> step = steps.pop();
                open += step.begin.end == null ? 0 : 1;
                state = step.before;
                putBack(step.begin);
                at = step.begin.after;
                continue;
            }
            S next = model.apply(state, operations.get(at.operation));
            if (next != null && isNew(at, next)) {
                steps.push(new Step<>(at, state));
                open -= at.end == null ? 0 : 1;
                state = next;
                takeOut(at);
                at = head.after;
            } else {
                at = at.after;
            }
            if (tried.size() > most) {
                return Outcome.GAVE_UP;
            }
        }
        return Outcome.LINEARIZABLE;
    }

    /** Notes that an operation is done now, unless that leads nowhere. */
    private boolean isNew(Node begin, S next) {
        done.set(begin.operation);
        int firstOpen = Math.min(ended, done.nextClearBit(0));
        int size = operations.size();
        if (tried.add(new Configuration<>(firstOpen, done.get(firstOpen, ended), done.get(ended, size), next))) {
            return true;
        }
        done.clear(begin.operation);
        return false;
    }

    private static void takeOut(Node begin) {
        begin.takeOut();
        if (begin.end != null) {
            begin.end.takeOut();
        }
    }

    private void putBack(Node begin) {
        done.clear(begin.operation);
        if (begin.end != null) {
            begin.end.putBack();
        }
        begin.putBack();
    }

    /** After the search: returns the states that all that ended but one can leave. */
    Set<S> statesBefore(Operation last) {
        int without = operations.indexOf(last);
        Set<S> states = new HashSet<>();
        if (ended == 1) {
            states.add(model.initial());
        }
        for (Configuration<S> each : tried) {
            if (each.firstOpen == without && each.beyond.cardinality() == ended - 1 - without) {
                states.add(each.state);
            }
        }
        return states;
    }
}
