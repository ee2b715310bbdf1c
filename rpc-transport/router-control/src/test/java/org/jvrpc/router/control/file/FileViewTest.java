package org.jvrpc.router.control.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.router.Quota;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.control.OlderMap;
import org.jvrpc.router.map.ControlView;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.map.RouterRecord;
import org.jvrpc.router.map.Rule;
import org.jvrpc.router.map.TenantRecord;
import org.jvrpc.testing.Waits;

class FileViewTest {

    private static final TenantId RED = new TenantId("red");
    private static final TenantId BLUE = new TenantId("blue");
    private static final VirtualAddress REDS = new VirtualAddress("10.77.0.5");
    private static final VirtualAddress BLUES = new VirtualAddress("10.77.0.6");
    private static final String SHA = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

    @TempDir
    private Path folder;

    private static String two(int epoch, String more) {
        return """
                {"epoch": %d,
                \t"tenants": [
                  {"name": "red", "user": 70001, "addresses": ["10.77.0.5"], "quota": {"qps": 16, "weight": 3},
                   "tokens": [{"id": "t1", "salt": "AAAAAAAAAAA=", "sha256": "%s",
                               "notAfter": "2027-01-31T00:00:00Z"}]},
                  {"name": "blue", "user": 70002, "addresses": ["10.77.0.6"]}],
                 "rules": [{"from": "red", "to": "blue", "firstPort": 7000, "lastPort": 7009, "allow": true}]%s}
                """.formatted(epoch, SHA, more);
    }

    private Path write(String text) throws IOException {
        Path next = Files.writeString(folder.resolve("next"), text);
        return Files.move(next, folder.resolve("control.json"), StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        try (FileView view = new FileView(write(two(7, "")), "h1")) {
            TenantRecord red = view.tenant(RED);
            assertEquals(7, view.epoch());
            assertEquals(List.of(BLUE, RED), view.tenants());
            assertEquals(70001, red.user());
            assertEquals(List.of(REDS), red.addresses());
            assertEquals(16, red.quota().qps());
            assertEquals(3, red.quota().weight());
            assertEquals(Quota.DEFAULT.bytes(), red.quota().bytes());
            assertEquals("t1", red.tokens().get(0).id());
            assertEquals(1_801_353_600_000L, red.tokens().get(0).notAfterMs());
            assertEquals(List.of(new Rule(RED, BLUE, 7000, 7009, true)), view.rules());
            assertEquals(Quota.DEFAULT, view.tenant(BLUE).quota());
            assertNull(view.tenant(new TenantId("green")));
            assertNull(view.home(REDS));
            assertNull(view.trouble());
        }
    }

    @Test
    void eachMistakeIsToldWithItsLine() throws IOException {
        Path file = write("""
                {"epoch": 1, "colour": "red",
                 "tenants": [
                  {"name": "Red", "user": -1, "addresses": ["red.example"]},
                  {"name": "blue", "user": "70002", "addresses": ["10.77.0.6"], "tokens": [{"id": "t"}]},
                  {"name": "blue", "user": 70002, "addresses": ["10.77.0.6"], "quota": {"weight": 101}},
                  {"name": "green", "user": 70003, "addresses": ["10.77.0.6"], "revoked": "no"}],
                 "homes": [{"address": "10.77.0.9", "tenant": "blue", "host": "h2"}],
                 "rules": [{"firstPort": 9, "lastPort": 8}]}
                """);
        String text = assertThrows(IllegalArgumentException.class, () -> new FileView(file, "h1")).getMessage();
        for (String wanted : List.of(":1:24: colour is not known here", ":3:12: tenants[0].name is wrong: tenant=Red",
                ":3:27: tenants[0].user is -1, range 0 to 2147483647",
                "tenants[0].addresses is wrong: virtual address=",
                ":4:28: tenants[1].user must be a whole number", ":4:76: tenants[1].tokens[0].salt is missing",
                "tenants[2].quota.weight is 101, range 1 to 100", "has the name=blue of another tenant",
                "tenants[3] has the address=10.77.0.6, which is tenant=blue's",
                "tenants[3].revoked must be true or false",
                ":7:12: homes[0] has the address=10.77.0.9 for tenant=blue, which has no such address",
                ":8:12: rules[0] has firstPort=9 after lastPort=8")) {
            assertTrue(text.contains(wanted), () -> wanted + " in: " + text);
        }
    }

    @Test
    void noJsonAndNoAliasIsRead() throws IOException {
        for (String text : List.of("", "[1]", "{\"epoch\": 1,", "{\"epoch\": 1, \"epoch\": 2}",
                "{\"epoch\": 1, \"tenants\": [&a [], *a]}", "!!javax.script.ScriptEngineManager []",
                "[".repeat(5_000))) {
            Path file = write(text);
            assertThrows(IllegalArgumentException.class, () -> new FileView(file, "h1"), text);
        }
        Path missing = folder.resolve("missing");
        assertTrue(assertThrows(IllegalArgumentException.class, () -> new FileView(missing, "h1")).getMessage()
                .contains("missing cannot be read"));
    }

    @Test
    void aBadVersionLeavesTheLastGoodOneAndConfirmsNothing() throws IOException {
        try (FileView view = new FileView(write(two(7, "")), "h1")) {
            write(two(8, ", \"x\": 1"));
            Waits.until("the view to see it", () -> view.trouble() != null);
            long confirmedNs = view.confirmedNs();
            assertTrue(view.trouble().contains("x is not known here"), view.trouble());
            view.look();
            assertEquals(7, view.epoch());
            assertEquals(confirmedNs, view.confirmedNs());
            write(two(8, ""));
            Waits.until("the mended version", () -> view.epoch() == 8 && view.trouble() == null, view::trouble);
        }
    }

    @Test
    void anOlderVersionIsRefusedAsAWhole() throws IOException {
        try (FileView view = new FileView(write(two(7, "")), "h1")) {
            for (int epoch : new int[] {6, 7}) {
                write(two(epoch, "").replace("70001", "70003"));
                view.look();
                assertEquals(70001, view.tenant(RED).user());
                assertTrue(view.trouble().contains(
                        "epoch=" + epoch + " is not higher than that of what is known, epoch=7"), view.trouble());
            }
        }
    }

    @Test
    void theSameInOtherWordsConfirmsAgainAlsoBehindAnOlderOne() throws IOException {
        try (FileView view = new FileView(write(two(7, "")), "h1")) {
            write(two(6, ""));
            view.look();
            long confirmedNs = view.confirmedNs();
            assertTrue(view.trouble().contains("epoch=6 is not higher"), view.trouble());
            write(two(7, ", \"routers\": []  "));
            view.look();
            assertNull(view.trouble());
            assertTrue(view.confirmedNs() - confirmedNs > 0);
            assertEquals(7, view.epoch());
        }
    }

    @Test
    void theFileThatGoesAndComesBackConfirmsAgain() throws IOException {
        try (FileView view = new FileView(write(two(7, "")), "h1")) {
            Files.delete(folder.resolve("control.json"));
            view.look();
            assertTrue(view.trouble().contains("cannot be read"), view.trouble());
            assertEquals(70001, view.tenant(RED).user());
            write(two(7, ""));
            view.look();
            assertNull(view.trouble());
        }
    }

    @Test
    void changesAreTold() throws IOException {
        List<String> told = new CopyOnWriteArrayList<>();
        try (FileView view = new FileView(write(two(7, "")), "h1")) {
            view.listen(new Told(told));
            write(two(8, "").replace("\"blue\"", "\"green\"").replace("\"user\": 70001",
                    "\"user\": 70001, \"revoked\": true"));
            Waits.until("all changes", () -> told.size() == 4, () -> told);
            assertEquals(List.of("blue true", "green false", "red true", "rules"), told.stream().sorted().toList());
        }
    }

    @Test
    void aClaimIsFencedByItsEpoch() throws IOException {
        String homes = ", \"homes\": [{\"address\": \"10.77.0.6\", \"tenant\": \"blue\", \"host\": \"h2\","
                + " \"epoch\": 4%s}]";
        List<String> told = new CopyOnWriteArrayList<>();
        try (FileView view = new FileView(write(two(7, homes.formatted(""))), "h1")) {
            view.listen(new Told(told));
            Home home = view.claim(REDS, RED, 0);
            assertEquals(new Home(REDS, RED, "h1", 1, Home.State.SERVING), home);
            assertEquals(home, view.home(REDS));
            refused(Refusal.STALE_EPOCH, () -> view.claim(REDS, RED, 0));
            refused(Refusal.NOT_YOURS, () -> view.claim(REDS, BLUE, 1));
            refused(Refusal.MOVED, () -> view.claim(BLUES, BLUE, 4));
            view.release(home);
            assertEquals(Home.State.GONE, view.home(REDS).state());
            assertEquals(2, view.claim(REDS, RED, 1).epoch());
            view.release(home); // of before: it lets nothing go
            assertEquals(Home.State.SERVING, view.home(REDS).state());
            write(two(8, homes.formatted(", \"state\": \"GONE\"")));
            view.look();
            assertEquals("h1", view.claim(BLUES, BLUE, 4).host());
            Waits.until("the homes", () -> told.contains("10.77.0.6 h1 5"), () -> told);
            assertFalse(told.contains("10.77.0.6 h2 5"));
        }
    }

    @Test
    void whatIsClaimedIsGoneWithTheTenantThatHadIt() throws IOException {
        List<String> told = new CopyOnWriteArrayList<>();
        try (FileView view = new FileView(write(two(7, "")), "h1")) {
            view.claim(REDS, RED, 0);
            view.listen(new Told(told));
            for (int epoch = 8; epoch < 10; epoch++) { // the second time nothing changes
                write(two(epoch, "").replace("10.77.0.5", "10.77.0.9"));
                view.look();
                assertEquals(new Home(REDS, RED, "h1", 2, Home.State.GONE), view.home(REDS));
            }
            Waits.until("it to be told", () -> told.contains("10.77.0.5 h1 2"), () -> told);
            refused(Refusal.NOT_YOURS, () -> view.claim(REDS, RED, 2));
            write(two(10, "").replace("10.77.0.5", "10.77.0.9").replace("10.77.0.6", "10.77.0.5"));
            view.look();
            assertEquals(new Home(REDS, BLUE, "h1", 3, Home.State.SERVING), view.claim(REDS, BLUE, 2));
            assertEquals(1, told.stream().filter("10.77.0.5 h1 2"::equals).count());
        }
    }

    @Test
    void anOlderVersionIsGoneByWhenItIsWantedAndWhatWasClaimedIsForgotten() throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        try (FileView view = new FileView(write(two(7, "")), "h1")) {
            view.listen(new Told(told));
            view.claim(REDS, RED, 0);
            assertEquals("no older map is refused, known is epoch=7",
                    assertThrows(IOException.class, view::acceptOlder).getMessage());
            write(two(4, ""));
            assertEquals(new OlderMap.Accepted(7, 4), view.acceptOlder());
            assertEquals(4, view.epoch());
            assertNull(view.trouble());
            assertNull(view.home(REDS));
            Waits.until("it to be told", () -> told.contains("went back"), () -> told);
            write(two(3, ""));
            view.look();
            assertTrue(view.trouble().contains("epoch=3 is not higher"), view.trouble());
            Files.delete(folder.resolve("control.json"));
            assertThrows(IOException.class, view::acceptOlder);
            write(two(3, ""));
            view.look();
            assertEquals(4, view.epoch());
        }
    }

    private static void refused(Refusal refusal, Runnable what) {
        assertEquals(refusal, assertThrows(RefusedException.class, what::run).refusal());
    }

    private record Told(List<String> all) implements ControlView.Changes {

        @Override
        public void tenant(TenantRecord now) {
            all.add(now.id() + " " + now.revoked());
        }

        @Override
        public void home(Home before, Home now) {
            all.add(now.address() + " " + now.host() + " " + now.epoch());
        }

        @Override
        public void rules() {
            all.add("rules");
        }

        @Override
        public void router(RouterRecord now, boolean there) {
            all.add("router " + now.host() + " " + there);
        }

        @Override
        public void wentBack() {
            all.add("went back");
        }
    }
}
