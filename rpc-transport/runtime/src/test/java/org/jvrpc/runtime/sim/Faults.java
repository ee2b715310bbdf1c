package org.jvrpc.runtime.sim;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.runtime.sim.device.Network;
import org.jvrpc.runtime.sim.world.Choices;
import org.jvrpc.runtime.sim.world.SimProcess;
import org.jvrpc.runtime.sim.world.World;

/** What befalls the processes of a simulation, at times that choices say. */
final class Faults {

    private static final int MOST = 4;

    private final World world;
    private final Choices.Stream choices;
    private final Simulation simulation;
    private final List<SimProcess> stopped = new ArrayList<>();
    private boolean over;
    private boolean losesAnswers;

    Faults(World world, Simulation simulation) {
        this.world = world;
        this.choices = world.choices("faults");
        this.simulation = simulation;
    }

    /** Has some happen, from now on. */
    void begin() {
        int count = choices.pick(MOST + 1);
        for (int i = 0; i < count; i++) {
            int kind = choices.pick(7);
            world.in(2_000L << choices.pick(15), null, () -> happen(kind));
        }
    }

    private void happen(int kind) {
        if (over) {
            return;
        }
        world.trace("fault " + kind);
        losesAnswers |= kind == 0 || kind == 4;
        switch (kind) {
            case 0 -> simulation.killServer();
            case 1 -> simulation.drainServer();
            case 2 -> stop(simulation.serverProcess());
            case 3 -> stop(simulation.clientProcess());
            case 4 -> Network.of(world).breakConnection();
            case 5 -> simulation.interruptCaller();
            default -> simulation.killVisitor();
        }
    }

    private void stop(SimProcess process) {
        process.stop();
        stopped.add(process);
        world.in(10_000L << choices.pick(15), null, process::goOn);
    }

    /** Returns true when a server was killed or a connection broke: then a call that ran may have no answer. */
    boolean loseAnswers() {
        return losesAnswers;
    }

    /** No more of it; who was stopped goes on. */
    void end() {
        over = true;
        stopped.forEach(SimProcess::goOn);
    }
}
