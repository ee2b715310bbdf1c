package org.jvrpc.watch.rperf.control;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jvrpc.watch.probe.ProbeKeys;
import org.jvrpc.watch.probe.ProbeSeal;

/**
 * Numbered lines of a connection, with a seal each over a nonce of either side. What is read has one deadline, however
 * slowly its bytes come. One thread.
 */
final class SealedLines {

    /** Bytes of the longest command. */
    static final int COMMAND_BYTES = 4096;
    /** Bytes of the longest reply: a distribution. */
    static final int REPLY_BYTES = 1 << 20;

    private static final int MAC_DIGITS = 2 * ProbeSeal.MAC_BYTES;
    private static final char TO_AGENT = 'C';
    private static final char TO_CLIENT = 'A';

    private static final int NONCE_BYTES = 16;
    private static final Pattern NONCE = Pattern.compile("[0-9a-f]{" + 2 * NONCE_BYTES + "}");
    /** Any version of this protocol. */
    private static final Pattern GREETING = Pattern.compile("jvrpc-rperf ([0-9]{1,9}) (.*)");
    private static final int VERSION = 2;
    private static final int GREETING_BYTES = 128;
    private static final int BUFFER_BYTES = 8192;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final ProbeSeal seal;
    private final boolean agent;
    private final LongSupplier nowNs;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int at;
    private int end;
    private String nonces;
    private long number;
    private int mostMs;
    private long untilNs;

    /**
     * Takes a connection.
     *
     * @param agent which side this is
     * @param nowNs monotonic
     */
    SealedLines(Socket socket, ProbeKeys keys, boolean agent, LongSupplier nowNs) throws IOException {
        this.socket = socket;
        in = socket.getInputStream();
        out = socket.getOutputStream();
        seal = new ProbeSeal(keys);
        this.agent = agent;
        this.nowNs = nowNs;
    }

    /** Sets by when all that is read from now on is to be here. */
    void within(int ms) {
        mostMs = ms;
        untilNs = nowNs.getAsLong() + TimeUnit.MILLISECONDS.toNanos(ms);
    }

    /**
     * Says a nonce of this side's own and learns the other's, the agent first: what either side said to somebody else
     * holds for neither.
     *
     * @throws IOException when the other side is of another version, or something else
     */
    void greet() throws IOException {
        byte[] random = new byte[NONCE_BYTES];
        RANDOM.nextBytes(random);
        String own = HexFormat.of().formatHex(random);
        if (agent) {
            plain(greeting(own));
            nonces(own + " " + heard());
        } else {
            nonces(heard() + " " + own);
            plain(greeting(own));
        }
    }

    /** Sets what both sides said. */
    void nonces(String agentsAndDrivers) {
        nonces = agentsAndDrivers;
    }

    static String greeting(String nonce) {
        return "jvrpc-rperf " + VERSION + " " + nonce;
    }

    private String heard() throws IOException {
        Matcher greeting = GREETING.matcher(plain(GREETING_BYTES));
        if (!greeting.matches()) {
            throw new IOException("what answers is no jvrpc rperf agent");
        }
        if (!greeting.group(1).equals(Integer.toString(VERSION))) {
            throw new IOException("it speaks version " + greeting.group(1)
                    + " of rperf's protocol, and this is version " + VERSION + ": have the same jvrpc on both hosts");
        }
        if (!NONCE.matcher(greeting.group(2)).matches()) {
            throw new IOException("its nonce is no " + 2 * NONCE_BYTES + " hex digits");
        }
        return greeting.group(2);
    }

    /** Reads up to the next line end. @throws IOException at the end, for a longer line, and for one that is late */
    String plain(int most) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = next(); next != '\n'; next = next()) {
            if (line.size() == most) {
                throw new IOException("a line is longer than " + most + " bytes");
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.US_ASCII);
    }

    private int next() throws IOException {
        if (at == end) {
            long leftNs = untilNs - nowNs.getAsLong();
            if (leftNs <= 0) {
                throw new SocketTimeoutException("no whole line within " + mostMs + " ms");
            }
            socket.setSoTimeout((int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(leftNs)));
            at = 0;
            end = 0; // read may throw
            end = Math.max(0, in.read(buffer));
            if (end == 0) {
                throw new IOException("the connection has ended");
            }
        }
        return buffer[at++] & 0xff;
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
        return (direction + " " + nonces + " " + number + " " + text).getBytes(StandardCharsets.US_ASCII);
    }
}
