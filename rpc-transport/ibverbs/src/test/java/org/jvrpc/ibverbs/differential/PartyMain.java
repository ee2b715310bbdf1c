package org.jvrpc.ibverbs.differential;

import java.util.HexFormat;
import java.util.Map;
import org.jvrpc.ibverbs.core.Gid;
import org.jvrpc.ibverbs.interop.exchange.Ends;
import org.jvrpc.testing.Parent;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;

/** A process with one end of each scenario, which does what it is told and says what became of it. */
final class PartyMain {

    private static final int MTU_1024 = 3;

    private PartyMain() {
    }

    /** @param arguments the address of the device */
    public static void main(String[] arguments) throws Exception {
        try (Device device = Devices.open(arguments[0])) {
            Party party = null;
            Map<String, Long> before = Map.of();
            Parent.say("READY");
            while (true) {
                String[] told = Parent.told().split(" ");
                switch (told[0]) {
                    case "make" -> {
                        before = Counters.of(device);
                        party = new Party(device, Scenario.valueOf(told[1]), Long.parseLong(told[2]));
                        Parent.say("PLACE " + place(party));
                    }
                    case "connect" -> {
                        connect(party, told);
                        Parent.say("CONNECTED");
                    }
                    case "receive" -> {
                        party.receive();
                        Parent.say("POSTED");
                    }
                    case "ask" -> {
                        party.ask(Long.parseLong(told[1]), Integer.parseInt(told[2]));
                        Parent.say("ASKED");
                    }
                    case "end" -> {
                        party.end();
                        party.record().forEach(line -> Parent.say("LINE " + line));
                        Counters.since(before, device).forEach(line -> Parent.say("LINE " + line));
                        party.close();
                        Parent.say("ENDED");
                    }
                    default -> throw new IllegalArgumentException(told[0]);
                }
            }
        }
    }

    private static String place(Party party) {
        Ends.End end = Ends.End.of(party.qp);
        return end.qpn() + " " + end.psn() + " " + HexFormat.of().formatHex(end.gid().bytes()) + " "
                + party.mr.address() + " " + party.mr.rkey();
    }

    private static void connect(Party party, String[] told) {
        party.qp.connect(new Ends.End(0, Integer.parseInt(told[1]), Integer.parseInt(told[2]),
                new Gid(HexFormat.of().parseHex(told[3]))).encode(MTU_1024));
    }
}
