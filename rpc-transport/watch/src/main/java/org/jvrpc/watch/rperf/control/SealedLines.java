package org.jvrpc.watch.rperf.control;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jvrpc.watch.probe.ProbeKeys;
import org.jvrpc.watch.probe.ProbeSeal;

/** Numbered lines of a connection, with a seal each. One thread. */
final class SealedLines {

    /** Bytes of the longest command. */
    static final int COMMAND_BYTES = 4096;
    /** Bytes of the longest reply: a distribution. */
    static final int REPLY_BYTES = 1 << 20;

    private static final int MAC_DIGITS = 2 * ProbeSeal.MAC_BYTES;
    private static final char TO_AGENT = 'C';
    private static final char TO_CLIENT = 'A';

    private final InputStream in;
    private final OutputStream out;
    private final ProbeSeal seal;
    private final boolean agent;
    private String nonce;
    private long number;

    /** @param agent which side this is */
    SealedLines(Socket socket, ProbeKeys keys, boolean agent) throws IOException {
        in = new BufferedInputStream(socket.getInputStream());
        out = socket.getOutputStream();
        seal = new ProbeSeal(keys);
        this.agent = agent;
    }

    void nonce(String value) {
        nonce = value;
    }

    /** Reads up to the next line end. @throws IOException at the end, and for a longer line */
    String plain(int most) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("the connection has ended");
            }
            if (line.size() == most) {
                throw new IOException("a line is longer than " + most + " bytes");
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.US_ASCII);
    }

    void plain(String line) throws IOException {
        out.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    /** Says something: a command, or the reply to the one that was read last. */
    void write(String text) throws IOException {
        byte[] sealed = sealed(agent ? TO_CLIENT : TO_AGENT, text);
        plain(number + " " + text + " " + seal.keyId() + " "
                + HexFormat.of().formatHex(seal.sign(sealed, 0, sealed.length)));
        if (agent) {
            number++;
        }
    }

    /** Reads what the other side says. @throws IOException when it did not say it, or not now */
    String read() throws IOException {
        String line = plain(agent ? COMMAND_BYTES : REPLY_BYTES);
        String head = number + " ";
        int mac = line.length() - MAC_DIGITS;
        int id = line.lastIndexOf(' ', mac - 2);
        if (!line.startsWith(head) || id < head.length()) {
            throw new IOException("a line that is none, or not the next one");
        }
        String text = line.substring(head.length(), id);
        byte[] sealed = sealed(agent ? TO_AGENT : TO_CLIENT, text);
        try {
            if (!seal.verify(Integer.parseInt(line.substring(id + 1, mac - 1)), sealed, 0, sealed.length,
                    HexFormat.of().parseHex(line, mac, line.length()))) {
                throw new IOException("the seal is not of this key");
            }
        } catch (IllegalArgumentException e) {
            throw new IOException("a line without a seal", e);
        }
        if (!agent) {
            number++;
        }
        return text;
    }

    private byte[] sealed(char direction, String text) {
        return (direction + " " + nonce + " " + number + " " + text).getBytes(StandardCharsets.US_ASCII);
    }
}
