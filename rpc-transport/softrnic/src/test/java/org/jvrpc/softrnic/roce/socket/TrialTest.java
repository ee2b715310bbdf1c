package org.jvrpc.softrnic.roce.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.verbs.VerbsException;

class TrialTest {

    @AfterEach
    void forget() {
        for (String property : new String[] {Trial.MTU, Trial.LOSS, Trial.SEED, Trial.GO_BACK_0}) {
            System.clearProperty(property);
        }
    }

    @Test
    void nothingIsChangedByItself() {
        Trial trial = Trial.read();
        assertEquals(4096, trial.mtu());
        assertFalse(trial.goBackZero());
        assertFalse(trial.loses());
    }

    @Test
    void propertiesSayWhatIsTried() {
        System.setProperty(Trial.MTU, "1024");
        System.setProperty(Trial.GO_BACK_0, "true");
        System.setProperty(Trial.LOSS, "1");
        Trial trial = Trial.read();
        assertEquals(1024, trial.mtu());
        assertTrue(trial.goBackZero());
        assertTrue(trial.loses());
    }

    @Test
    void aSeedLosesTheSamePackets() {
        System.setProperty(Trial.LOSS, "0.25");
        System.setProperty(Trial.SEED, "7");
        Trial first = Trial.read();
        Trial second = Trial.read();
        int lost = 0;
        for (int i = 0; i < 10_000; i++) {
            boolean loses = first.loses();
            assertEquals(loses, second.loses());
            lost += loses ? 1 : 0;
        }
        assertTrue(lost > 2300 && lost < 2700, "lost=" + lost);
    }

    @ParameterizedTest
    @CsvSource({"mtu,1000", "mtu,8192", "loss,-0.1", "loss,1.01", "loss,NaN", "loss,some", "seed,x", "go-back-0,yes"})
    void valuesThatAreNoneAreRefused(String name, String value) {
        System.setProperty("jvrpc.roce." + name, value);
        VerbsException e = assertThrows(VerbsException.class, Trial::read);
        assertTrue(e.getMessage().contains("jvrpc.roce." + name + "=" + value), e.getMessage());
    }
}
