package org.jvrpc.watch.counters;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One GET by HTTP/1.0, all of which has one deadline: the JDK's client begins its time anew with each byte of a header.
 * It follows no redirection. A name's look-up alone takes as long as the resolver lets it. Source: RFC 1945.
 */
final class TimedGet {

    private static final int CHUNK_BYTES = 64 << 10;
    private static final int MOST_HEAD_BYTES = 64 << 10;
    private static final int HTTP_PORT = 80;
    private static final int OK = 200;
    private static final int LENGTH_DIGITS = 9;
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[0-9] ([0-9]{3})\\b.*");
    private static final Pattern LENGTH = Pattern.compile("(?im)^content-length:[ \\t]*([0-9]{1," + LENGTH_DIGITS
            + "})[ \\t]*\\r?$");
    private static final Pattern CODED = Pattern.compile("(?im)^(transfer|content)-encoding:.*$");

    private final long untilNs;
    private final int mostBytes;
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();
    private int headBytes = -1;
    private long bodyBytes = Long.MAX_VALUE;

    private TimedGet(long untilNs, int mostBytes) {
        this.untilNs = untilNs;
        this.mostBytes = mostBytes;
    }

    /**
     * Returns the body of an answer of status 200.
     *
     * @param timeoutMs for all of it
     * @param mostBytes of a body
     * @throws IOException when there is no such answer in time
     */
    static String body(URI from, int timeoutMs, int mostBytes) throws IOException {
        TimedGet get = new TimedGet(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs), mostBytes);
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(from.getHost(), from.getPort() < 0 ? HTTP_PORT : from.getPort()),
                    timeoutMs);
            socket.getOutputStream().write(request(from).getBytes(StandardCharsets.US_ASCII));
            return get.read(socket);
        }
    }

    private static String request(URI from) {
        return "GET " + from.getRawPath() + (from.getRawQuery() == null ? "" : "?" + from.getRawQuery())
                + " HTTP/1.0\r\nHost: " + from.getHost() + (from.getPort() < 0 ? "" : ":" + from.getPort())
                + "\r\nConnection: close\r\n\r\n";
    }

    private String read(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        byte[] chunk = new byte[CHUNK_BYTES];
        while (headBytes < 0 || read.size() - headBytes < bodyBytes) {
            socket.setSoTimeout(leftMs());
            int n = in.read(chunk);
            if (n < 0) {
                break;
            }
            read.write(chunk, 0, n);
            if (headBytes < 0) {
                head();
            }
            if (headBytes >= 0 && read.size() - headBytes > mostBytes) {
                throw new IOException("more than " + mostBytes + " bytes");
            }
        }
        if (headBytes < 0) {
            throw new IOException("no answer by HTTP");
        }
        if (bodyBytes != Long.MAX_VALUE && read.size() - headBytes < bodyBytes) {
            throw new IOException((read.size() - headBytes) + " of " + bodyBytes + " bytes");
        }
        return new String(read.toByteArray(), headBytes, read.size() - headBytes, StandardCharsets.UTF_8);
    }

    private int leftMs() throws SocketTimeoutException {
        long leftNs = untilNs - System.nanoTime();
        if (leftNs <= 0) {
            throw new SocketTimeoutException();
        }
        return (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(leftNs));
    }

    private void head() throws IOException {
        String text = read.toString(StandardCharsets.ISO_8859_1);
        int end = text.indexOf("\r\n\r\n");
        if (end < 0 && text.length() <= MOST_HEAD_BYTES) {
            return;
        }
        String head = end < 0 ? text : text.substring(0, end);
        Matcher status = STATUS.matcher(head.lines().findFirst().orElse(""));
        if (end < 0 || !status.matches()) {
            throw new IOException("no answer by HTTP");
        }
        if (Integer.parseInt(status.group(1)) != OK) {
            throw new IOException("status " + status.group(1));
        }
        if (CODED.matcher(head).find()) {
            throw new IOException("encoded, and nobody asked for it");
        }
        Matcher length = LENGTH.matcher(head);
        bodyBytes = length.find() ? Long.parseLong(length.group(1)) : Long.MAX_VALUE;
        headBytes = end + 4;
    }
}
