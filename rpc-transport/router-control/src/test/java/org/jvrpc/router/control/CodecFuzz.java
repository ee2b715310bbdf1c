package org.jvrpc.router.control;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.map.TenantRecord;
import org.jvrpc.testing.fuzz.FuzzCheck;

/**
 * Any text in UTF-8 as a control plane's file. It is refused with mistakes that can be shown, or says nothing that
 * contradicts itself: each tenant under its own name, each address of one tenant alone, each home that tenant's.
 */
final class CodecFuzz {

    private static final int LONGEST = 8_000;

    private CodecFuzz() {
    }

    public static void fuzzerTestOneInput(byte[] input) {
        ControlState known;
        try {
            known = Codec.state("file", new String(input, StandardCharsets.UTF_8));
        } catch (BadTextException e) {
            FuzzCheck.that(e.getMessage().length() < LONGEST && e.getMessage().chars()
                    .noneMatch(c -> c != '\n' && Character.isISOControl(c)), "mistakes: " + e.getMessage());
            return;
        }
        FuzzCheck.that(known.epoch() >= 1, "epoch=" + known.epoch());
        for (Map.Entry<TenantId, TenantRecord> tenant : known.tenants().entrySet()) {
            FuzzCheck.that(tenant.getKey().equals(tenant.getValue().id()), tenant.getKey());
            for (VirtualAddress address : tenant.getValue().addresses()) {
                FuzzCheck.that(known.tenants().values().stream().filter(t -> t.addresses().contains(address)).count()
                        == 1, address + " is of two");
            }
        }
        for (Map.Entry<VirtualAddress, Home> home : known.homes().entrySet()) {
            FuzzCheck.that(home.getKey().equals(home.getValue().address()), home.getKey());
            TenantRecord tenant = known.tenants().get(home.getValue().tenant());
            FuzzCheck.that(tenant == null || tenant.addresses().contains(home.getKey()), home.getValue());
        }
        written(known);
    }

    /** What is written is read again, and is the same. */
    private static void written(ControlState known) {
        String text = Codec.text(known);
        try {
            FuzzCheck.that(Codec.text(Codec.state("again", text)).equals(text), text);
        } catch (BadTextException e) {
            throw new AssertionError(text, e);
        }
    }
}
