package org.jvrpc.runtime.sim;

import java.util.List;
import org.jvrpc.runtime.sim.device.Network;
import org.jvrpc.runtime.sim.world.Choices;
import org.jvrpc.runtime.sim.world.SimProcess;
import org.jvrpc.runtime.sim.world.Violation;
import org.jvrpc.runtime.sim.world.World;

/** What is simulated in a world of its own, and what each such thing does. */
abstract class Scenario {

    /** Of one phase; the longest that were seen took a third of it. */
    static final long STEPS = 200_000;

    final World world;
    final Choices.Stream choices;

    Scenario(Choices choices) {
        this.world = new World(choices);
        this.choices = choices.of("world");
    }

    /** @throws Violation when something does not hold */
    abstract void run();

    /** Runs it, and gives back what the world had. */
    final World runToEnd() {
        Network network = Network.of(world);
        try {
            run();
            return world;
        } finally {
            network.close();
        }
    }

    /** Goes on until a thread has ended. */
    final void await(String what, Thread thread) {
        world.run(what, () -> !thread.isAlive(), STEPS);
    }

    /** Goes on until a process that lives has no threads any more, when it must have nothing left but what is said. */
    final void expectEnd(SimProcess process, List<String> left) {
        if (!process.isDead()) {
            world.run("the end of " + process.name(), process::isOver, STEPS);
            if (!process.left().equals(left)) {
                throw new Violation(process.name() + " left " + process.left() + ", not " + left);
            }
        }
    }
}
