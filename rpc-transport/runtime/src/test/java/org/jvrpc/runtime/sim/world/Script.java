package org.jvrpc.runtime.sim.world;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The choices of a simulation that are not 0, each a step, by those who decide and by their number. */
public final class Script {

    private final Map<String, Map<Integer, Integer>> all = new LinkedHashMap<>();

    /** One of them. */
    public record Step(String who, int number, int choice) {
    }

    /** Reads what {@link #toString} wrote. */
    public static Script of(String text) {
        Script script = new Script();
        for (String stream : text.split(";")) {
            String[] words = stream.trim().split(" +");
            for (int i = 1; i < words.length; i++) {
                int colon = words[i].indexOf(':');
                script.add(new Step(words[0], Integer.parseInt(words[i].substring(0, colon)),
                        Integer.parseInt(words[i].substring(colon + 1))));
            }
        }
        return script;
    }

    public static Script of(List<Step> steps) {
        Script script = new Script();
        steps.forEach(script::add);
        return script;
    }

    private void add(Step step) {
        all.computeIfAbsent(step.who, who -> new LinkedHashMap<>()).put(step.number, step.choice);
    }

    public void put(String who, Map<Integer, Integer> choices) {
        if (!choices.isEmpty()) {
            all.put(who, new LinkedHashMap<>(choices));
        }
    }

    public Map<Integer, Integer> of(String who, Map<Integer, Integer> none) {
        return all.getOrDefault(who, none);
    }

    public List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        all.forEach((who, choices) -> choices.forEach((number, choice) -> steps.add(new Step(who, number, choice))));
        return steps;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        all.forEach((who, choices) -> {
            text.append(text.isEmpty() ? "" : "; ").append(who);
            choices.forEach((number, choice) -> text.append(' ').append(number).append(':').append(choice));
        });
        return text.toString();
    }
}
