package org.jvrpc.watch.drift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When two ways to write a value mean the same. */
class FormTest {

    @ParameterizedTest
    @CsvSource({"RATIO,1/16,0.0625,1/16", "RATIO,1/16,6.25%,1/16", "RATIO,1/48,0.020833333333333332,1/48",
        "RATIO,1/48,0.02083333333,1/48", "RATIO,1.0E-4,1/10000,1/10000", "RATIO,2,200%,2.0",
        "RATIO,0.3,30 %,0.3", "BYTES,4096,4KiB,4096", "BYTES,5KB,5000,5000", "BYTES,12MB,12000000 B,12000000",
        "BYTES,0.5KiB,512,512", "DURATION,100us,100000ns,100us",
        "DURATION,1.5ms,1500us,1500us", "DURATION,0,0s,0ns", "INTEGER,0x1a,26,26", "SWITCH,true,on,on",
        "SWITCH,No,off,off", "PRIORITIES,'4,3','3, 4','3,4'", "PRIORITIES,none,'',none", "TEXT, a ,a,a",
        "INTEGER,none,none,none"})
    void theSameValueHasManyNames(Form form, String one, String other, String shown) {
        assertTrue(form.same(form.normal(one), form.normal(other)), form.normal(one) + " " + form.normal(other));
        assertEquals(shown, form.shown(form.normal(one)));
    }

    @ParameterizedTest
    @CsvSource({"RATIO,1/16,1/64", "RATIO,1/16,0.0626", "RATIO,0,1e-12", "BYTES,4KB,4KiB", "DURATION,1us,1ms",
        "INTEGER,26,0x26", "SWITCH,on,off", "PRIORITIES,3,'3,4'", "TEXT,mlx5_core,mlx5_Core", "RATIO,none,1"})
    void othersAreNotTheSame(Form form, String one, String other) {
        assertFalse(form.same(form.normal(one), form.normal(other)));
    }

    @Test
    void whatAnUpdateChangedIsShownAsPeopleWriteIt() {
        assertEquals("1/64", Form.RATIO.shown(Form.RATIO.normal(Double.toString(1.0 / 64))));
    }

    @ParameterizedTest
    @CsvSource({"alpah,alpha", "lapha,alpha", "ALPHA,", "alph,alpha", "drops-incomplet,drops-incomplete",
        "watchdog-time,watchdog", "x,", "kmax,", "mtuu,mtu", "head,headroom"})
    void theNearestNameIsWithinTwoMistakesOrHasTheSameHead(String word, String expected) {
        assertEquals(expected, Nearest.of(word, Schema.keys(ConfigurationSource.Kind.SWITCH).keySet()));
    }

    @ParameterizedTest
    @CsvSource({"ab,ba,1", "ab,ab,0", "'',abc,3", "kitten,sitting,3", "ca,abc,3"})
    void aSwapIsOneMistake(String a, String b, int distance) {
        assertEquals(distance, Nearest.distance(a, b));
    }

    @ParameterizedTest
    @CsvSource({"*,x/y,true", "h*,h1/mlx5_0/1,true", "h1,h1/mlx5_0/1,true", "h1,h11/mlx5_0/1,false",
        "h?/mlx5_*/1,h1/mlx5_0/1,true", "*/2,h1/mlx5_0/1,false", "T*3,T13,true", "T*3,T31,false", "'',x,false",
        "**a*,bab,true"})
    void aPatternFitsANameOrItsHost(String pattern, String name, boolean fits) {
        assertEquals(fits, Glob.fits(pattern, name));
    }
}
