package org.jvrpc.softrnic.router.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTextTest {

    @ParameterizedTest
    @CsvSource({"10.77.0.5, 10.77.0.5", "255.255.255.255, 255.255.255.255", "fd00::5, fd00:0:0:0:0:0:0:5",
        "[fd00:0::05], fd00:0:0:0:0:0:0:5", "FD00::5, fd00:0:0:0:0:0:0:5", "::, 0:0:0:0:0:0:0:0",
        "::ffff:102:304, 1.2.3.4"})
    void anAddressHasOneText(String text, String one) {
        assertEquals(one, AddressText.parse(text).getHostAddress());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "host", "1.2.3", "1.2.3.256", "999.1.1.1", "01.2.3.4", "1.2.3.4.5", "[1.2.3.4]",
        "[", "]", "[]", ":", "1:2", "fd00::5%1", "fd00::1::2", "fd00:::5", "dead", "1.2.3.4 ", "[fd00::5", "fd00::5]",
        "0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0"})
    void whatIsNoNumberIsRefusedAndNotLookedUp(String text) {
        assertThrows(IllegalArgumentException.class, () -> AddressText.parse(text));
    }
}
