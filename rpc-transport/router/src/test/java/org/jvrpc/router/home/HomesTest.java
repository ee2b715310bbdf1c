package org.jvrpc.router.home;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.map.Claims;
import org.jvrpc.router.map.ControlView;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.map.RouterRecord;
import org.jvrpc.testing.Waits;

/** Claims of a host, with a control plane that says what it knows a little later than it decides. */
class HomesTest {

    private static final TenantId RED = new TenantId("red");
    private static final VirtualAddress FIRST = new VirtualAddress("10.77.0.5");
    private static final VirtualAddress SECOND = new VirtualAddress("10.77.0.6");

    /** What the plane has decided, and what its view says. */
    private final Map<VirtualAddress, Home> decided = new ConcurrentHashMap<>();
    private final Map<VirtualAddress, Home> seen = new ConcurrentHashMap<>();
    private final AtomicInteger claims = new AtomicInteger();
    private volatile boolean draining;
    private final ControlView view = (ControlView) Proxy.newProxyInstance(getClass().getClassLoader(),
            new Class<?>[] {ControlView.class, Claims.class}, (proxy, method, arguments) -> switch (method.getName()) {
                case "home" -> seen.get(arguments[0]);
                case "router" -> new RouterRecord("here", "", "", null, 0, draining, 1);
                case "claim" -> claim((VirtualAddress) arguments[0], (long) arguments[2]);
                case "release" -> release((Home) arguments[0]);
                default -> null;
            });
    private final AtomicLong nowNs = new AtomicLong(1);
    private final Homes homes = new Homes("here", view, (tenant, what, refusal, detail) -> { }, nowNs::get);

    @AfterEach
    void close() {
        homes.close();
    }

    private Home claim(VirtualAddress address, long knownEpoch) {
        claims.incrementAndGet();
        Home now = decided.get(address);
        if (now.epoch() != knownEpoch) {
            seen.put(address, now);
            throw new RefusedException(Refusal.STALE_EPOCH, "epoch=" + now.epoch());
        }
        if (now.state() == Home.State.SERVING && !now.host().equals("here")) {
            throw new RefusedException(Refusal.MOVED, "address=" + address + " lives on host=" + now.host());
        }
        Home claimed = new Home(address, RED, "here", now.epoch() + 1, Home.State.SERVING);
        decided.put(address, claimed);
        return claimed;
    }

    private Object release(Home home) {
        Home now = new Home(home.address(), RED, "here", home.epoch() + 1, Home.State.GONE);
        decided.put(home.address(), now);
        return null;
    }

    private void is(VirtualAddress address, String host, long epoch, Home.State state) {
        decided.put(address, new Home(address, RED, host, epoch, state));
        seen.put(address, decided.get(address));
    }

    private RefusedException claim(VirtualAddress... addresses) {
        CompletableFuture<RefusedException> answer = new CompletableFuture<>();
        homes.claim(RED, List.of(addresses), answer::complete);
        return answer.orTimeout(Waits.limitNs(), TimeUnit.NANOSECONDS).join();
    }

    @Test
    void anAddressIsHereOnceItIsClaimedWhateverTheViewSaysYet() {
        is(FIRST, "", 3, Home.State.GONE);
        assertFalse(homes.isHere(FIRST));
        assertNull(claim(FIRST));
        assertTrue(homes.isHere(FIRST));
        assertEquals(4, homes.home(FIRST).epoch());
        assertNull(claim(FIRST));
        assertEquals(1, claims.get(), "claims of what is here cut its connections");
    }

    @Test
    void anAddressIsArrivingForAWhileBehindItsClaimAndWhileTheClaimIsNotKnownYet() {
        is(FIRST, "here", 3, Home.State.SERVING);
        assertTrue(homes.isArriving(homes.home(FIRST), nowNs.get(), 10), "this router has not claimed it");
        claim(FIRST);
        nowNs.addAndGet(9);
        assertTrue(homes.isArriving(homes.home(FIRST), nowNs.get(), 10));
        nowNs.addAndGet(1);
        assertFalse(homes.isArriving(homes.home(FIRST), nowNs.get(), 10));
        is(FIRST, "here", 6, Home.State.SERVING);
        assertTrue(homes.isArriving(homes.home(FIRST), nowNs.get(), 10), "what was claimed is older");
        nowNs.addAndGet(10);
        assertFalse(homes.isArriving(homes.home(FIRST), nowNs.get(), 10), "nobody claims it");
        is(FIRST, "here", 7, Home.State.DRAINING);
        assertFalse(homes.isArriving(homes.home(FIRST), nowNs.get(), 10), "nobody comes in");
    }

    @Test
    void whoHasAnAddressIsSaidToWhoeverMayNotHaveIt() {
        is(FIRST, "there", 3, Home.State.SERVING);
        RefusedException why = claim(FIRST);
        assertEquals(Refusal.MOVED, why.refusal());
        assertTrue(why.getMessage().contains("host=there"), why.getMessage());
    }

    @Test
    void oneAddressThatIsHereIsEnough() {
        is(FIRST, "there", 3, Home.State.SERVING);
        is(SECOND, "", 0, Home.State.GONE);
        assertNull(claim(FIRST, SECOND));
        assertEquals(SECOND, homes.first(RED, List.of(FIRST, SECOND)));
    }

    @Test
    void aClaimThatWasOvertakenIsMadeAgain() {
        is(FIRST, "there", 3, Home.State.MOVING);
        decided.put(FIRST, new Home(FIRST, RED, "there", 5, Home.State.GONE));
        assertNull(claim(FIRST));
        assertEquals(6, homes.home(FIRST).epoch());
    }

    @Test
    void whatIsReleasedIsOnItsWayAtOnceAndIsClaimedAnew() {
        is(FIRST, "", 3, Home.State.GONE);
        claim(FIRST);
        homes.release(RED);
        assertNull(claim(FIRST)); // by the same thread, behind the release
        assertTrue(homes.isHere(FIRST));
        assertEquals(6, homes.home(FIRST).epoch(), "claimed 4, released 5, claimed 6");
    }

    @Test
    void aRestartedRouterClaimsWhatItHadAnew() {
        is(FIRST, "here", 3, Home.State.SERVING);
        assertNull(claim(FIRST));
        assertEquals(4, homes.home(FIRST).epoch());
    }

    @Test
    void aHostThatDrainsClaimsNothing() {
        is(FIRST, "", 3, Home.State.GONE);
        draining = true;
        assertEquals(Refusal.DRAINING, claim(FIRST).refusal());
        draining = false;
        is(FIRST, "here", 3, Home.State.DRAINING);
        assertEquals(Refusal.DRAINING, claim(FIRST).refusal());
        assertEquals(0, claims.get());
    }
}
