package org.jvrpc.watch.fabric.mesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.fabric.event.Chance;
import org.jvrpc.fabric.network.Port;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Component;
import org.jvrpc.watch.Component.Kind;
import org.jvrpc.watch.Verdict;
import org.jvrpc.watch.blame.PathBlamer;
import org.jvrpc.watch.paths.PathFile;
import org.jvrpc.watch.report.Report;
import org.jvrpc.watch.report.Tally;

/** The ways of a simulated mesh, written as traceroutes are and read back: who is blamed then. */
class PathsFromFileTest {

    private static final long SEED = 27;
    private static final long LOOK_NS = 1_000_000_000;

    @TempDir
    Path folder;

    private final SimulatedMesh mesh = new SimulatedMesh(MeshSettings.of(64), SEED);

    private static List<String> lines(SimulatedMesh mesh, List<List<Report>> windows) {
        List<AgentInfo> agents = mesh.agents();
        Set<String> lines = new TreeSet<>();
        for (List<Report> window : windows) {
            for (Report report : window) {
                for (Tally tally : report.tallies()) {
                    lines.add(line(mesh, agents, report.from().id(), tally.target(), tally.flow()));
                    lines.add(line(mesh, agents, tally.target(), report.from().id(), tally.flow()));
                }
            }
        }
        return new ArrayList<>(lines);
    }

    private static String line(SimulatedMesh mesh, List<AgentInfo> agents, int from, int to, int flow) {
        return "path " + agents.get(from).name() + " " + agents.get(to).name() + " " + flow + " "
                + mesh.paths().path(from, to, flow).stream().filter(part -> part.kind() != Kind.LINK)
                .map(Component::name).collect(Collectors.joining(" "));
    }

    private static List<String> told(List<Verdict> verdicts) {
        return verdicts.stream().map(each -> each.who() + " " + each.cause() + " " + each.evidence()).toList();
    }

    @Test
    void theSameIsSaidAsByTheFabricsOwnPaths() throws IOException {
        List<List<Report>> windows = new ArrayList<>(List.of(mesh.window(), mesh.window()));
        GreyFailure.Planted planted = GreyFailure.LINK_DROPS_ONE_WAY.plant(mesh, new Chance(SEED));
        windows.addAll(List.of(mesh.window(), mesh.window(), mesh.window()));
        Path at = Files.write(folder.resolve("paths"), lines(mesh, windows));
        try (PathFile paths = PathFile.open(at, mesh::agents, LOOK_NS)) {
            paths.takeOver();
            PathBlamer byFile = new PathBlamer(paths, mesh::agents);
            PathBlamer byFabric = new PathBlamer(mesh.paths(), mesh::agents);
            boolean isNamed = false;
            for (List<Report> window : windows) {
                List<Verdict> verdicts = byFile.judge(window);
                assertEquals(told(byFabric.judge(window)), told(verdicts), "seed=" + SEED);
                assertEquals(1, byFile.tracedShare(), "seed=" + SEED);
                isNamed |= verdicts.stream().anyMatch(each -> planted.names().contains(each.who())
                        && each.cause() == planted.cause());
            }
            assertTrue(isNamed, planted + " was not named, seed=" + SEED);
        }
    }

    @Test
    void aLinkThatIsCutInEachSecondWindowIsSaidToFlap() {
        PathBlamer blamer = new PathBlamer(mesh.paths(), mesh::agents);
        Port port = mesh.topology().leaves().get(new Chance(SEED).below(8)).port(0);
        List<String> told = new ArrayList<>();
        for (int window = 0; window < 6; window++) {
            mesh.run();
            port.faults().loses(0); // what is lost is of this window
            if (window % 2 == 0) {
                mesh.settle();
                port.faults().loses(1); // of the next one
            }
            told.add(blamer.judge(mesh.gather()).stream().map(each -> each.who() + " " + each.cause())
                    .collect(Collectors.joining(", ")));
        }
        String link = mesh.traced().link(port).toString();
        assertEquals(List.of("", link + " DOWN", "", link + " DOWN", "", link + " FLAPPING"), told, "seed=" + SEED);
    }
}
