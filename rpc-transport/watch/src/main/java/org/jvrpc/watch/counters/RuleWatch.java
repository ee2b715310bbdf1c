package org.jvrpc.watch.counters;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jvrpc.watch.Alert;
import org.jvrpc.watch.Rate;

/**
 * Holds rules against readings, one after the other. An alert is raised when a limit was passed as often in a row as
 * the rule says, and is over when it was kept as often. A reading without a value, as behind a reset, changes nothing;
 * {@value #MOST_SILENT} in a row end an alert, whose last value is NaN then: the counter is gone, or cannot be read.
 * One thread.
 */
public final class RuleWatch {

    /** Readings without a value behind which a counter is forgotten. */
    static final int MOST_SILENT = 10;

    private record Key(Rule rule, String subject) { }

    private static final class State {
        /** Readings in a row: above 0 passed, below 0 kept. */
        private int row;
        /** Readings in a row that had no value. */
        private int silent;
        private Alert raised;
    }

    private final List<Rule> rules;
    private final Map<Key, State> states = new LinkedHashMap<>();
    private final Map<Rule, String> blind = new LinkedHashMap<>();
    private final Set<Rule> judgedOnce = new HashSet<>();

    /** Begins with nothing raised. */
    public RuleWatch(List<Rule> rules) {
        this.rules = List.copyOf(rules);
    }

    /** Returns true when a rule needs two readings. */
    public boolean needsRates() {
        return rules.stream().anyMatch(Rule::needsRate);
    }

    /**
     * Takes readings.
     *
     * @param window its number, which alerts bear
     * @param rates of the readings, in the same order
     * @return alerts that were raised now, or are over now
     */
    public List<Alert> update(long window, List<Counted> counted, List<Rate> rates) {
        List<Alert> alerts = new ArrayList<>();
        blind.clear();
        states.values().forEach(state -> state.silent++);
        for (Rule rule : rules) {
            String why = "no such counter here";
            boolean judged = false;
            for (int i = 0; i < counted.size(); i++) {
                Rate rate = rates.get(i);
                if (rule.concerns(rate.last())) {
                    double value = rule.value(rate);
                    if (Double.isNaN(value)) {
                        why = judged ? why : counted.get(i).label() + ": " + why(rate);
                    } else {
                        judged = true;
                        judge(alerts, window, rule, counted.get(i).label(), value);
                    }
                }
            }
            if (judged) {
                judgedOnce.add(rule);
            } else {
                blind.put(rule, why);
            }
        }
        forget(alerts, window);
        return alerts;
    }

    private void forget(List<Alert> alerts, long window) {
        Iterator<State> all = states.values().iterator();
        while (all.hasNext()) {
            State state = all.next();
            if (state.silent >= MOST_SILENT) {
                all.remove();
                if (state.raised != null) {
                    alerts.add(new Alert(window, state.raised.rule(), state.raised.subject(), Double.NaN,
                            state.raised.limit(), false));
                }
            }
        }
    }

    private static String why(Rate rate) {
        return !rate.last().isReadable() ? rate.last().refusal() : rate.reset() ? "it was reset" : "no rate yet";
    }

    private void judge(List<Alert> alerts, long window, Rule rule, String subject, double value) {
        State state = states.computeIfAbsent(new Key(rule, subject), key -> new State());
        state.silent = 0;
        boolean passed = rule.isPassed(value);
        state.row = passed ? Math.max(1, state.row + 1) : Math.min(-1, state.row - 1);
        if (passed && state.raised == null && state.row >= rule.times()) {
            state.raised = new Alert(window, rule.text(), subject, value, rule.limit(), true);
            alerts.add(state.raised);
        } else if (!passed && state.raised != null && -state.row >= rule.times()) {
            state.raised = null;
            alerts.add(new Alert(window, rule.text(), subject, value, rule.limit(), false));
        } else if (passed && state.raised != null) {
            state.raised = new Alert(state.raised.window(), rule.text(), subject, value, rule.limit(), true);
        }
    }

    /** Returns what is raised now, each since its window, with the value of the last reading. */
    public List<Alert> raised() {
        return states.values().stream().map(state -> state.raised).filter(alert -> alert != null)
                .sorted((a, b) -> (a.subject() + a.rule()).compareTo(b.subject() + b.rule())).toList();
    }

    /** Returns the rules that no reading so far said anything about, in their order. */
    public List<Rule> neverJudged() {
        return rules.stream().filter(rule -> !judgedOnce.contains(rule)).toList();
    }

    /** Returns the rules that the last readings said nothing about, with why. */
    public Map<Rule, String> blind() {
        return blind;
    }
}
