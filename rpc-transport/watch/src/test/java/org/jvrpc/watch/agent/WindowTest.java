package org.jvrpc.watch.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.report.ReportLayout;
import org.jvrpc.watch.report.Tally;

/** What the probes of a window come to. */
class WindowTest {

    private static final AgentInfo SELF = new AgentInfo(1, "h1", "r", "p", new byte[1], 1, 1);
    private static final AgentInfo OTHER = new AgentInfo(2, "h2", "r", "p", new byte[1], 1, 1);

    @Test
    void whatAReportHasNoRoomForIsSoundAndCounted() {
        Peer peer = new Peer(OTHER, 0, 1, 0, 128);
        Window window = new Window(1, 0, 1);
        int lost = 100;
        int all = ReportLayout.MOST_TALLIES + 50;
        for (int flow = 0; flow < all; flow++) {
            Probe probe = new Probe(peer, flow, flow + 1, 0, flow, 0, 0, false, 0, 1);
            probe.sent = true;
            probe.acknowledged = flow < all - lost;
            window.add(probe);
        }
        Window.Result result = window.close(new LateLimits(SELF));
        assertEquals(ReportLayout.MOST_TALLIES, result.tallies().size());
        assertEquals(50, result.leftOut());
        assertEquals(lost, result.tallies().stream().mapToInt(Tally::lostUnknown).sum());
        assertEquals(all, result.sent());
    }
}
