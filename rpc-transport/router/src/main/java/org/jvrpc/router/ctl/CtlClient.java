package org.jvrpc.router.ctl;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** Asks a running router. Any thread. */
public final class CtlClient {

    private static final int MOST_BYTES = 16 << 20;

    private CtlClient() {
    }

    /**
     * Has a router do something.
     *
     * @param folder of the router
     * @param line verb and words
     * @param patienceMs how long the answer may take
     * @return what it has to say
     * @throws IOException when there is no router, it does not let this user ask, or it could not do it; the message
     *     says what may be done about it
     */
    public static String ask(Path folder, String line, long patienceMs) throws IOException {
        Path path = folder.resolve(CtlServer.SOCKET);
        String answer;
        try (Talk talk = new Talk(connect(path))) {
            answer = ask(talk, line, patienceMs);
        }
        int end = answer.indexOf('\n');
        if (end < 0) {
            throw new IOException("the router at " + path + " ended before it answered");
        }
        if (!answer.startsWith(CtlServer.OK)) {
            throw new IOException(answer.substring(0, end));
        }
        return answer.substring(end + 1);
    }

    /** Who is refused before a word is read cannot write any more, but can read why. */
    private static String ask(Talk talk, String line, long patienceMs) throws IOException {
        IOException unwritten = null;
        try {
            talk.write(line + "\n", patienceMs);
        } catch (IOException e) {
            unwritten = e;
        }
        String answer = talk.read(false, MOST_BYTES, patienceMs);
        if (answer.isEmpty() && unwritten != null) {
            throw unwritten;
        }
        return answer;
    }

    private static SocketChannel connect(Path path) throws IOException {
        SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            socket.connect(UnixDomainSocketAddress.of(path));
            return socket;
        } catch (IOException e) {
            socket.close();
            boolean denied = String.valueOf(e.getMessage()).contains("ermission");
            throw new IOException(path + ": " + e.getMessage() + "; " + (denied
                    ? "ask as the router's user, as root, or as a user whom its --admins names"
                    : "is a router running there? jvrpc router run --dir " + path.getParent() + " starts one"), e);
        }
    }
}
