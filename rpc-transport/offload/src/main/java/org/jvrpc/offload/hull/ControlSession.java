package org.jvrpc.offload.hull;

import java.io.IOException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import org.jvrpc.offload.lookup.LookupKind;
import org.jvrpc.offload.lookup.Offer;
import org.jvrpc.verbs.VerbsException;

/** One connection of an application, or of somebody who asks. Its own thread. */
final class ControlSession {

    static final int MAX_LINE = 4096;
    private static final long SEAT_TIMEOUT_NS = 2_000_000_000L;

    private final ControlSocket socket;
    private final HullDesk desk;
    private boolean attached;

    ControlSession(ControlSocket socket, HullDesk desk) {
        this.socket = socket;
        this.desk = desk;
    }

    /** Answers until the other side closes, or does not keep to the form. */
    void run() throws IOException, InterruptedException {
        try (socket) {
            for (String line = socket.readLine(); line != null; line = socket.readLine()) {
                socket.writeLine(answer(line));
            }
        } finally {
            if (attached) {
                desk.rise();
            }
        }
    }

    private String answer(String line) throws InterruptedException {
        try {
            return answer(ControlLine.words(line));
        } catch (IllegalArgumentException | VerbsException e) {
            return ControlLine.of(ControlLine.ERROR, String.valueOf(e.getMessage()));
        }
    }

    private String answer(String[] words) throws InterruptedException {
        switch (words[0]) {
            case ControlLine.ATTACH:
                expect(words, 2);
                return attach(words[1]);
            case ControlLine.FORMATTED:
                expect(words, 2);
                expectAttached();
                desk.formatted(truth(words[1]));
                return ControlLine.OK;
            case ControlLine.OFFER:
                expect(words, 7);
                expectAttached();
                return ControlLine.of(ControlLine.OK, desk.offer(words[1], LookupKind.valueOf(upper(words[2])),
                        Long.parseLong(words[3]), Offer.Rearm.valueOf(upper(words[4])), Long.parseLong(words[5]),
                        Integer.parseInt(words[6])));
            case ControlLine.WITHDRAW:
                expect(words, 2);
                expectAttached();
                return ControlLine.of(ControlLine.OK, desk.withdraw(words[1]));
            case ControlLine.ALONE:
                expect(words, 2);
                expectAttached();
                return ControlLine.of(ControlLine.OK, desk.withdrawOthers(words[1]));
            case ControlLine.CLIENTS:
                expect(words, 1);
                return clients();
            case ControlLine.CUT:
                expect(words, 2);
                return ControlLine.of(ControlLine.OK, desk.cut(Long.parseLong(words[1])));
            default:
                throw new IllegalArgumentException("unknown request: " + words[0]);
        }
    }

    private static String upper(String word) {
        return word.toUpperCase(Locale.ROOT);
    }

    private static boolean truth(String word) {
        if (!word.equals("true") && !word.equals("false")) {
            throw new IllegalArgumentException("expected true or false, not " + word);
        }
        return word.equals("true");
    }

    private static void expect(String[] words, int count) {
        if (words.length != count) {
            throw new IllegalArgumentException("expected words=" + count + ": " + Arrays.toString(words));
        }
    }

    private void expectAttached() {
        if (!attached) {
            throw new IllegalArgumentException("only the application that is attached may ask this");
        }
    }

    private String attach(String pid) throws InterruptedException {
        if (!attached) {
            attached = desk.sit(pid, SEAT_TIMEOUT_NS);
        }
        if (!attached) {
            throw new IllegalArgumentException("another application is attached: process=" + desk.attached());
        }
        return ControlLine.of(ControlLine.OK, Base64.getUrlEncoder().encodeToString(desk.exported()),
                desk.generation(), desk.isFormatted(), desk.address());
    }

    private String clients() {
        StringBuilder line = new StringBuilder(ControlLine.OK);
        for (HostedLookup client : desk.clients()) {
            line.append(' ').append(ControlLine.of(client.number(), client.name(), client.executed()));
        }
        return line.toString();
    }
}
