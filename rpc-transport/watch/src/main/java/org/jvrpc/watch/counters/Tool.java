package org.jvrpc.watch.counters;

import java.util.List;

/** Runs a program of the host that prints counters. */
public interface Tool {

    /** The host's. A run has five seconds and four MiB. */
    Tool SYSTEM = new Tool() {
        @Override
        public Result run(List<String> command) {
            return ToolRun.run(command, 5_000);
        }
    };

    /**
     * What it printed.
     *
     * @param text null when there is a refusal
     * @param refusal why there is nothing; null when there is
     */
    record Result(String text, String refusal) {

        static Result of(String text) {
            return new Result(text, null);
        }

        static Result refused(String why) {
            return new Result(null, why);
        }
    }

    /** Runs a program to its end. Never throws. */
    Result run(List<String> command);
}
