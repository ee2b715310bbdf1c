package org.jvrpc.runtime.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.resolve.ServerEntry;

/** Who is picked, by policies alone. */
class PoliciesTest {

    private static final long SEED = 16;

    private final LongSupplier random = new Random(SEED)::nextLong;

    /** A server as a test wants it. */
    private static final class Server implements Candidate {
        final ServerEntry entry;
        ServerState state = ServerState.READY;
        int distance;
        int inFlight;

        Server(String id, int weight) {
            this.entry = new ServerEntry(id, List.of("tcp://" + id + ":1"), weight, Map.of());
        }

        @Override
        public ServerEntry entry() {
            return entry;
        }

        @Override
        public ServerState state() {
            return state;
        }

        @Override
        public int distance() {
            return distance;
        }

        @Override
        public int inFlight() {
            return inFlight;
        }
    }

    private static List<Server> servers(int... weights) {
        List<Server> servers = new ArrayList<>();
        for (int i = 0; i < weights.length; i++) {
            servers.add(new Server("server-" + i, weights[i]));
        }
        return servers;
    }

    private int[] counts(ServerPicker picker, int servers, int calls) {
        int[] counts = new int[servers];
        for (int i = 0; i < calls; i++) {
            counts[picker.pick(random.getAsLong())]++;
        }
        return counts;
    }

    private ServerPicker picker(LoadBalancing policy, List<Server> servers) {
        return policy.policy(random).picker(List.copyOf(servers));
    }

    private static void isNear(double expected, int count, double tolerance) {
        assertTrue(Math.abs(count - expected) <= tolerance * expected,
                "count=" + count + " expected=" + expected + " seed=" + SEED);
    }

    @Test
    void roundRobinIsEvenAndGoesOnWhereItWasWhenServersChange() {
        LoadBalancingPolicy policy = LoadBalancing.roundRobin().policy(random);
        for (int count : new int[] {3, 1, 7}) {
            List<Server> servers = servers(ones(count));
            for (int calls : counts(policy.picker(List.copyOf(servers)), count, 100 * count)) {
                assertEquals(100, calls);
            }
        }
    }

    private static int[] ones(int count) {
        int[] ones = new int[count];
        java.util.Arrays.fill(ones, 1);
        return ones;
    }

    @Test
    void clientsOfRoundRobinDoNotAllBeginWithTheSameServer() {
        boolean[] first = new boolean[3];
        for (int client = 0; client < 50; client++) {
            first[picker(LoadBalancing.roundRobin(), servers(1, 1, 1)).pick(0)] = true;
        }
        assertTrue(first[0] && first[1] && first[2], "seed=" + SEED);
    }

    @Test
    void leastRequestPicksTheLessBusyOfTwo() {
        List<Server> servers = servers(1, 1, 1, 1);
        servers.get(2).inFlight = 100;
        int[] counts = counts(picker(LoadBalancing.leastRequest(), servers), 4, 12_000);
        assertEquals(0, counts[2]); // in each pair the other one is less busy
        isNear(4000, counts[0], 0.1);
        isNear(4000, counts[3], 0.1);
    }

    @Test
    void leastRequestGoesByWeights() {
        List<Server> servers = servers(1, 3);
        servers.get(0).inFlight = 1;
        servers.get(1).inFlight = 4;
        assertEquals(0, counts(picker(LoadBalancing.leastRequest(), servers), 2, 100)[0]); // 2 of 1, 5 of 3
        servers.get(1).inFlight = 6;
        assertEquals(100, counts(picker(LoadBalancing.leastRequest(), servers), 2, 100)[0]); // 2 of 1, 7 of 3
    }

    @Test
    void ringHashSharesKeysByWeights() {
        int[] counts = counts(picker(LoadBalancing.ringHash(), servers(1, 2, 1)), 3, 40_000);
        isNear(10_000, counts[0], 0.2);
        isNear(20_000, counts[1], 0.2);
        isNear(10_000, counts[2], 0.2);
    }

    @Test
    void ofRingHashOnlyTheKeysOfAServerThatGoesMove() {
        List<Server> servers = servers(1, 1, 1, 1, 1);
        ServerPicker before = picker(LoadBalancing.ringHash(), servers);
        List<Server> rest = new ArrayList<>(servers);
        rest.remove(3);
        ServerPicker after = picker(LoadBalancing.ringHash(), rest);
        int moved = 0;
        for (int key = 0; key < 5000; key++) {
            long hash = KeyHash.of("key-" + key);
            Server was = servers.get(before.pick(hash));
            moved += was == rest.get(after.pick(hash)) ? 0 : 1;
            assertTrue(was == servers.get(3) || was == rest.get(after.pick(hash)), "key=" + key);
        }
        isNear(1000, moved, 0.25);
    }

    @Test
    void ringHashIsTheSameInEveryProcess() {
        assertEquals(5974405072403614782L, KeyHash.of("user-1"));
        assertEquals(0, picker(LoadBalancing.ringHash(), servers(1, 1, 1)).pick(KeyHash.of("user-1")));
    }

    @Test
    void ringHashOfManyServersOfUnevenWeightsHasThemAll() {
        int[] weights = new int[ServerEntry.MAX_SERVERS];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = i == 0 ? ServerEntry.MAX_WEIGHT : 1;
        }
        int[] counts = counts(picker(LoadBalancing.ringHash(), servers(weights)), weights.length, 200_000);
        assertTrue(counts[0] > 100_000, "count=" + counts[0]);
        assertTrue(java.util.Arrays.stream(counts).filter(count -> count > 0).count() > 900);
    }

    @Test
    void pickFirstWantsTheFirstThatDidNotFailAndStaysWithWhoAnswers() {
        List<Server> servers = servers(1, 1, 1);
        LoadBalancingPolicy policy = LoadBalancing.pickFirst().policy(random);
        servers.forEach(server -> server.state = ServerState.IDLE);
        assertEquals(servers.subList(0, 1), policy.wanted(List.copyOf(servers)));
        servers.get(0).state = ServerState.FAILED;
        assertEquals(servers.subList(1, 2), policy.wanted(List.copyOf(servers)));
        servers.get(1).state = ServerState.READY;
        servers.get(0).state = ServerState.IDLE;
        assertEquals(servers.subList(1, 2), policy.wanted(List.copyOf(servers)));
        servers.forEach(server -> server.state = ServerState.FAILED);
        assertEquals(servers, policy.wanted(List.copyOf(servers)));
    }

    @Test
    void nearestWantsFartherServersOnlyWhileNoNearerOneMayServe() {
        List<Server> servers = servers(1, 1, 1, 1);
        int[] distances = {4, 0, 0, 4};
        for (int i = 0; i < 4; i++) {
            servers.get(i).distance = distances[i];
            servers.get(i).state = ServerState.IDLE;
        }
        LoadBalancingPolicy policy = LoadBalancing.nearest().policy(random);
        assertEquals(servers.subList(1, 3), policy.wanted(List.copyOf(servers)));
        servers.get(1).state = ServerState.FAILED;
        assertEquals(servers.subList(1, 3), policy.wanted(List.copyOf(servers)));
        servers.get(2).state = ServerState.FAILED;
        assertEquals(servers, policy.wanted(List.copyOf(servers))); // the near ones, too: they may come back
    }

    @Test
    void nearestPicksAmongTheNearestAlone() {
        List<Server> servers = servers(1, 1, 1, 1);
        int[] distances = {4, 1, 4, 1};
        for (int i = 0; i < 4; i++) {
            servers.get(i).distance = distances[i];
        }
        int[] counts = counts(picker(LoadBalancing.nearest(), servers), 4, 100);
        assertEquals(List.of(0, 50, 0, 50), java.util.Arrays.stream(counts).boxed().toList());
    }

    @Test
    void policiesHaveTheNamesThatTheyHaveElsewhere() {
        for (String name : List.of("pick_first", "round_robin", "least_request", "ring_hash", "nearest")) {
            picker(LoadBalancing.named(name), servers(1, 1)).pick(1);
        }
        String why = assertThrows(IllegalArgumentException.class, () -> LoadBalancing.named("best")).getMessage();
        assertTrue(why.contains("best") && why.contains("ring_hash"), why);
    }
}
