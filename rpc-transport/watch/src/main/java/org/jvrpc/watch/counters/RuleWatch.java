package org.jvrpc.watch.counters;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.watch.Alert;
import org.jvrpc.watch.Rate;

/**
 * Holds rules against readings, one after the other. An alert is raised when a limit was passed as often in a row as
 * the rule says, and is over when it was kept as often. A reading without a value, as behind a reset, changes nothing.
 * One thread.
 */
public final class RuleWatch {

    private record Key(Rule rule, String subject) { }

    /** Counts in a row: above 0 passed, below 0 kept. */
    private static final class State {
        private int row;
        private Alert raised;
    }

    private final List<Rule> rules;
    private final Map<Key, State> states = new HashMap<>();
    private final Map<Rule, String> blind = new LinkedHashMap<>();

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
            if (!judged) {
                blind.put(rule, why);
            }
        }
        return alerts;
    }

    private static String why(Rate rate) {
        return !rate.last().isReadable() ? rate.last().refusal() : rate.reset() ? "it was reset" : "no rate yet";
    }

    private void judge(List<Alert> alerts, long window, Rule rule, String subject, double value) {
        State state = states.computeIfAbsent(new Key(rule, subject), key -> new State());
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

    /** Returns the rules that the last readings said nothing about, with why. */
    public Map<Rule, String> blind() {
        return blind;
    }
}
