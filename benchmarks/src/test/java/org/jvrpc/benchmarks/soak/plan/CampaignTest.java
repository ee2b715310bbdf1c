package org.jvrpc.benchmarks.soak.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The plan of a campaign. */
class CampaignTest {

    private static Campaign campaign(int rounds) {
        return Campaign.of(3, Place.full(), 10_000, rounds);
    }

    @Test
    void equalSeedsGiveEqualCampaignsAndLongerOnesBeginAlike() {
        assertEquals(campaign(20), campaign(20));
        List<Fault> longer = campaign(40).faults();
        assertEquals(campaign(20).faults(), longer.subList(0, campaign(20).faults().size()));
    }

    @Test
    void everyKindOfFaultHappensAndOnlyToThoseThatTakeIt() {
        Campaign campaign = campaign(100);
        Map<String, Place> places = campaign.places().stream().collect(Collectors.toMap(Place::name,
                Function.identity()));
        Set<Fault.Kind> kinds = campaign.faults().stream().map(Fault::kind).collect(Collectors.toSet());
        assertEquals(Set.of(Fault.Kind.values()), kinds);
        for (Fault fault : campaign.faults()) {
            assertTrue(fault.kind() == Fault.Kind.FULL || places.get(fault.target()).takes(fault.kind()),
                    fault::toString);
        }
    }

    @Test
    void aPartHasItsFaultsAndTheirRoundsAlone() {
        Campaign whole = campaign(5);
        Fault kept = whole.faultsOf(4).get(1);
        Campaign part = whole.only(Set.of(kept.number()));
        assertEquals(List.of(kept), part.faults());
        assertEquals(List.of(4), part.rounds());
    }
}
