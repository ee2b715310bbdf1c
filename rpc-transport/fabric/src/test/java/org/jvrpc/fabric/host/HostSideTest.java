package org.jvrpc.fabric.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.fabric.cost.HostCosts;
import org.jvrpc.fabric.network.Frame;
import org.jvrpc.fabric.network.Network;
import org.jvrpc.fabric.network.SwitchSettings;
import org.jvrpc.fabric.topology.Links;
import org.jvrpc.fabric.topology.Topology;
import org.jvrpc.roce.rc.RcAttributes;
import org.jvrpc.roce.rc.ReceiveQueue.Arrival;
import org.jvrpc.roce.rc.SendWork;
import org.jvrpc.roce.rc.SendWork.Operation;
import org.jvrpc.verbs.WcStatus;

/** Hosts that take time, and packets that stay in a NIC. */
class HostSideTest {

    private static final HostCosts COSTS = new HostCosts(80, 350, 10, 250, 10, 0);
    private static final EndpointSettings QP = EndpointSettings.of(RcAttributes.defaults());

    private final Network network = new Network(7, true, 1024);
    private Topology star;

    /** Sends one message at a time. */
    private final class Pinger implements Application {
        private final int bytes;
        private final int most;
        private final List<Long> tripsNs = new ArrayList<>();
        private int begun;
        private long beginNs;

        Pinger(int bytes, int most) {
            this.bytes = bytes;
            this.most = most;
        }

        @Override
        public boolean fetch(SendWork work) {
            if (begun > tripsNs.size() || begun == most) {
                return false;
            }
            begun++;
            beginNs = network.nowNs();
            work.set(Operation.SEND, bytes, begun).flags(false, false);
            return true;
        }

        @Override
        public void completed(SendWork work, WcStatus status, long nowNs) {
            assertEquals(star.host(0).isDead() ? WcStatus.WR_FLUSH_ERR : WcStatus.SUCCESS, status);
            assertEquals(begun, work.cookie());
            assertEquals(network.nowNs(), nowNs);
            tripsNs.add(nowNs - beginNs);
        }
    }

    private Topology star(NicSettings nics) {
        star = Topology.star(network, Links.defaults(), new SwitchSettings(), nics, 1 << 20, 2);
        return star;
    }

    private List<Long> trips(NicSettings nics, int to, int bytes, int most) {
        star(nics);
        Pinger pinger = new Pinger(bytes, most);
        RcEndpoint.connect(star.host(0).endpoint(QP, pinger), star.host(to).endpoint(QP, new Pinger(0, 0)));
        assertTrue(network.events().runUntil(1_000_000_000), "something is left to happen");
        assertEquals(0, network.framesOut());
        assertEquals(most, pinger.tripsNs.size());
        return pinger.tripsNs;
    }

    @Test
    void aHostAddsWhatItCostsToEachTrip() {
        List<Long> bare = new HostSideTest().trips(new NicSettings(), 1, 64, 3);
        long host = 80 + 10 + 350 + 10 + 250;
        assertEquals(bare.subList(1, 3).stream().map(trip -> trip + host).toList(),
                trips(new NicSettings().costs(COSTS), 1, 64, 3).subList(1, 3));
    }

    @Test
    void chanceAddsNoMoreThanTheJitter() {
        long least = new HostSideTest().trips(new NicSettings().costs(COSTS), 1, 64, 1).get(0);
        List<Long> trips = trips(new NicSettings().costs(new HostCosts(80, 350, 10, 250, 10, 100)), 1, 64, 50);
        assertTrue(trips.stream().allMatch(trip -> trip >= least && trip <= least + 200), trips + " from " + least);
        assertTrue(trips.stream().distinct().count() > 10, trips.toString());
    }

    @Test
    void otherWorkHoldsUpAFetch() {
        star(new NicSettings().costs(COSTS));
        Pinger pinger = new Pinger(64, 1);
        RcEndpoint from = star.host(0).endpoint(QP, pinger);
        long least = new HostSideTest().trips(new NicSettings().costs(COSTS), 1, 64, 1).get(0);
        star.host(0).hostSide().fetches().occupy(network.nowNs(), 5_000);
        RcEndpoint.connect(from, star.host(1).endpoint(QP, new Pinger(0, 0)));
        network.events().runUntil(1_000_000);
        assertEquals(List.of(least + 5_000 - 80), pinger.tripsNs); // it is posted meanwhile
        assertEquals(5_010, star.host(0).hostSide().fetches().workNs());
    }

    @Test
    void packetsOfANicToItselfDoNotLeaveIt() {
        network.tap((nowNs, from, frame) -> assertEquals(Frame.Kind.ANNOUNCEMENT, frame.kind()));
        List<Long> trips = trips(new NicSettings().loopbackNs(30), 0, 64, 2);
        long bits = (42 + 12 + 64 + 8) * 8 / 40 + (42 + 12 + 4 + 8) * 8 / 40; // the SEND's, then its ACK's; 40 Gbit/s
        assertEquals(List.of(bits + 60, bits + 60), trips);
    }

    @Test
    void longMessagesComeThroughTheLoopbackWhole() {
        star(new NicSettings().loopbackNs(30).costs(COSTS));
        Pinger pinger = new Pinger(10_000, 1);
        List<Long> lengths = new ArrayList<>();
        RcEndpoint.connect(star.host(0).endpoint(QP, pinger), star.host(0).endpoint(QP, new Application() {
            @Override
            public void arrived(Arrival kind, long length, int word, long nowNs) {
                lengths.add(length);
            }
        }));
        network.events().runUntil(1_000_000);
        assertEquals(List.of(10_000L), lengths);
        assertEquals(1, pinger.tripsNs.size());
        assertEquals(0, network.framesOut());
    }

    /** Posts all at once, and writes down how they end. */
    private final class Poster implements Application {
        private final int most;
        private int begun;
        private final List<String> ends = new ArrayList<>();

        Poster(int most) {
            this.most = most;
        }

        @Override
        public boolean fetch(SendWork work) {
            if (begun == most) {
                return false;
            }
            work.set(Operation.SEND, 64, begun++).flags(false, false);
            return true;
        }

        @Override
        public void completed(SendWork work, WcStatus status, long nowNs) {
            ends.add(work.cookie() + " " + status);
        }
    }

    private RcEndpoint posts(Poster poster) {
        star(new NicSettings().costs(COSTS));
        RcEndpoint from = star.host(0).endpoint(QP, poster);
        RcEndpoint.connect(from, star.host(1).endpoint(QP, new Pinger(0, 0)));
        return from;
    }

    /** From 80 ns on the NIC fetches, which takes 350 ns: at 900 ns some are sent, some there, some on their way. */
    @ParameterizedTest
    @ValueSource(longs = {10, 200, 445, 900, 2_000})
    void whenAQpFailsEachWrThatWasTakenEndsOnceAndInOrder(long atNs) {
        Poster poster = new Poster(40);
        RcEndpoint from = posts(poster);
        network.events().runUntil(network.nowNs() + atNs);
        from.fail();
        assertTrue(network.events().runUntil(1_000_000_000), "something is left to happen");
        List<Integer> order = poster.ends.stream().map(end -> Integer.parseInt(end.split(" ")[0])).toList();
        assertEquals(IntStream.range(0, poster.begun).boxed().toList(), order, poster.ends::toString);
        assertTrue(poster.begun > 0 && poster.ends.get(poster.begun - 1).endsWith("WR_FLUSH_ERR"),
                poster.ends::toString);
    }

    @Test
    void whenTheNicFindsAQpFailedEachWrThatWasTakenEndsToo() {
        Poster poster = new Poster(40);
        posts(poster);
        star.host(1).kill();
        assertTrue(network.events().runUntil(60_000_000_000L), "something is left to happen");
        assertEquals(poster.begun, poster.ends.size(), poster.ends::toString);
        assertEquals("0 RETRY_EXC_ERR", poster.ends.get(0));
        assertEquals(poster.begun - 1 + " WR_FLUSH_ERR", poster.ends.get(poster.begun - 1));
    }

    /** Also when it is there again before the news would have reached it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aHostThatDiedHearsOfNothing(boolean restarts) {
        Poster poster = new Poster(40);
        posts(poster);
        network.events().runUntil(network.nowNs() + 2_000);
        int before = poster.ends.size();
        star.host(0).kill();
        if (restarts) {
            star.host(0).restart();
        }
        network.events().runUntil(network.nowNs() + 1_000_000_000);
        assertEquals(before, poster.ends.size(), poster.ends::toString);
        assertTrue(before < poster.begun, "all had ended");
    }

    @Test
    void aHostThatDiesMeanwhileKeepsNoFrame() {
        star(new NicSettings().loopbackNs(30).costs(COSTS));
        Pinger pinger = new Pinger(10_000, 10);
        RcEndpoint.connect(star.host(0).endpoint(QP, pinger), star.host(0).endpoint(QP, new Pinger(0, 0)));
        network.events().runUntil(network.nowNs() + 1_000);
        star.host(0).kill();
        assertTrue(network.events().runUntil(1_000_000_000), "something is left to happen");
        assertEquals(0, network.framesOut());
    }

    @Test
    void aCostBelowZeroIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new HostCosts(0, 0, 0, 0, -1, 0));
    }
}
