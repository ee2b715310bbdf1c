package org.jvrpc.hdfs;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a jvRPC address is made of a NameNode's RPC address: {@code {host}} and {@code {port}} stand for the latter,
 * {@code {port+1000}} for another port beside it.
 */
record AddressTemplate(String text) {

    private static final Pattern PORT = Pattern.compile("\\{port(?:\\+(\\d{1,5}))?}");

    /** True when the address reaches only processes of one host. */
    boolean isLocal() {
        return text.startsWith("shm:");
    }

    /** Returns the jvRPC address for a NameNode's host and RPC port. @throws IOException when there is none */
    String at(String host, int port) throws IOException {
        String plainHost = host.contains(":") ? "[" + host.replaceFirst("%.*", "") + "]" : host;
        Matcher matcher = PORT.matcher(text.replace("{host}", plainHost));
        StringBuilder address = new StringBuilder();
        while (matcher.find()) {
            int number = port + (matcher.group(1) == null ? 0 : Integer.parseInt(matcher.group(1)));
            if (number > 65535) {
                throw new IOException(
                        HdfsSettings.ADDRESS + "=" + text + " makes port=" + number + " of port=" + port);
            }
            matcher.appendReplacement(address, Integer.toString(number));
        }
        matcher.appendTail(address);
        if (address.indexOf("{") >= 0 || address.indexOf("://") < 0) {
            throw new IOException(
                    HdfsSettings.ADDRESS + "=" + text + " is no address: it may hold {host}, {port} and {port+N}");
        }
        return address.toString();
    }
}
