package org.jvrpc.watch.registry;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jvrpc.testing.fuzz.FuzzCheck;
import org.jvrpc.watch.AgentInfo;

/**
 * Any line of a registry that others write, in UTF-8. It is refused in a line that can be shown, or it is an agent
 * whose own line is one line, and is read as the same agent.
 */
final class AgentLineFuzz {

    private static final int LONGEST_MESSAGE = 400;

    private AgentLineFuzz() {
    }

    public static void fuzzerTestOneInput(byte[] input) {
        AgentInfo agent;
        try {
            agent = AgentLine.parse(new String(input, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            FuzzCheck.that(e.getMessage().length() < LONGEST_MESSAGE
                    && e.getMessage().chars().noneMatch(Character::isISOControl), "message: " + e.getMessage());
            return;
        }
        FuzzCheck.that(agent.id() >= 0 && agent.version() >= 0 && agent.version() <= 255
                && agent.address().length > 0, agent);
        String line = AgentLine.format(agent);
        FuzzCheck.that(line.split("\\R", -1).length == 1, "several lines: " + line);
        AgentInfo again = AgentLine.parse(line);
        FuzzCheck.that(again.id() == agent.id() && again.name().equals(agent.name())
                && again.rack().equals(agent.rack()) && again.pod().equals(agent.pod())
                && Arrays.equals(again.address(), agent.address()) && again.version() == agent.version()
                && again.incarnation() == agent.incarnation(), agent + " became " + again);
    }
}
