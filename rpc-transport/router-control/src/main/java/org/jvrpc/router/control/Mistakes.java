package org.jvrpc.router.control;

import java.util.ArrayList;
import java.util.List;
import org.yaml.snakeyaml.error.Mark;

/** What is wrong in a file, each with its line: all of it is told at once. One thread. */
final class Mistakes {

    private static final int MOST = 20;

    private final String file;
    private final List<String> all = new ArrayList<>();

    Mistakes(String file) {
        this.file = file;
    }

    void add(Mark mark, String what) {
        if (all.size() < MOST) {
            String place = mark == null ? file : file + ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1);
            all.add(place + ": " + what.replaceAll("\\s+", " ").replaceAll("[^ -~]", "?"));
        }
    }

    /** @throws BadTextException when there are any */
    void check() throws BadTextException {
        if (!all.isEmpty()) {
            throw new BadTextException(String.join("; ", all));
        }
    }
}
