package org.jvrpc.zookeeper;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.curator.x.discovery.ServiceInstance;
import org.apache.curator.x.discovery.ServiceType;
import org.apache.curator.x.discovery.details.JsonInstanceSerializer;
import org.jvrpc.runtime.resolve.ServerEntry;

/**
 * Servers as x-discovery writes its instances. Addresses, weight and attributes are the payload, a map, so that any
 * user of x-discovery reads it without a class of this library. {@code JsonInstanceSerializer} writes, and does not
 * read: it makes an object of whichever class the payload names. Any thread.
 */
final class InstanceCodec {

    /** Of a znode, more than the longest {@link ServerEntry} takes. */
    static final int MAX_BYTES = 1 << 16;

    private static final String ADDRESSES = "addresses";
    private static final String WEIGHT = "weight";
    private static final String ATTRIBUTES = "attributes";
    private static final int MAX_DEPTH = 8;
    private static final int MAX_NUMBER = 32;

    private static final ObjectReader READER = JsonMapper.builder(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH)
                    .maxStringLength(ServerEntry.MAX_ADDRESS).maxNumberLength(MAX_NUMBER).build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build()).build().readerFor(JsonNode.class)
            .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private InstanceCodec() {
    }

    /** Returns what is registered of a server, with the addresses that others may know. */
    static byte[] encode(String service, ServerEntry server, long registeredMs) {
        List<String> addresses = server.addresses().stream().map(Addresses::published).distinct().toList();
        Map<String, Object> payload = new LinkedHashMap<>();
        payload.put(ADDRESSES, addresses);
        payload.put(WEIGHT, server.weight());
        payload.put(ATTRIBUTES, server.attributes());
        Addresses.Place place = Addresses.place(addresses);
        ServiceInstance<Object> instance = new ServiceInstance<>(service, server.id(), place.host(),
                orNull(place.port()), orNull(place.securePort()), payload, registeredMs, ServiceType.DYNAMIC, null);
        try {
            return new JsonInstanceSerializer<>(Object.class).serialize(instance);
        } catch (Exception e) {
            throw new IllegalArgumentException("server id=" + server.id() + " cannot be written: " + e.getMessage(), e);
        }
    }

    private static Integer orNull(int port) {
        return port == 0 ? null : port;
    }

    /**
     * Reads a server.
     *
     * @param service whose it must be
     * @param id the last name in the path of its znode
     */
    static ServerEntry decode(String service, String id, byte[] bytes) throws BadInstanceException {
        if (bytes.length > MAX_BYTES) {
            throw new BadInstanceException("it is too long: bytes=" + bytes.length + ", at most " + MAX_BYTES);
        }
        JsonNode root = read(bytes);
        if (!service.equals(root.path("name").textValue()) || !id.equals(root.path("id").textValue())) {
            throw new BadInstanceException("it is not an instance of x-discovery with this service and id: name="
                    + root.path("name") + " id=" + root.path("id"));
        }
        JsonNode payload = root.path("payload");
        try {
            return new ServerEntry(id, addresses(payload.path(ADDRESSES)), weight(payload.path(WEIGHT)),
                    attributes(payload.path(ATTRIBUTES)));
        } catch (IllegalArgumentException e) {
            throw new BadInstanceException(e.getMessage());
        }
    }

    private static JsonNode read(byte[] bytes) throws BadInstanceException {
        try {
            JsonNode root = READER.readTree(bytes);
            if (root != null && root.isObject()) {
                return root;
            }
        } catch (JsonProcessingException e) {
            throw new BadInstanceException("it is not JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new BadInstanceException("it is not JSON: " + e.getMessage());
        }
        throw new BadInstanceException("it is not an object in JSON");
    }

    private static List<String> addresses(JsonNode node) throws BadInstanceException {
        if (!node.isArray() || node.isEmpty() || node.size() > ServerEntry.MAX_ADDRESSES) {
            throw new BadInstanceException("its payload has not 1 to " + ServerEntry.MAX_ADDRESSES
                    + " addresses: it is no server of jvRPC, size=" + node.size());
        }
        List<String> addresses = new ArrayList<>();
        for (JsonNode address : node) {
            addresses.add(text(ADDRESSES, address));
            Addresses.check(address.textValue());
        }
        return addresses;
    }

    private static int weight(JsonNode node) throws BadInstanceException {
        if (node.isMissingNode()) {
            return 1;
        }
        if (!node.isInt()) {
            throw new BadInstanceException("weight is no number of 32 bits: " + node);
        }
        return node.intValue();
    }

    private static Map<String, String> attributes(JsonNode node) throws BadInstanceException {
        Map<String, String> attributes = new LinkedHashMap<>();
        if (node.isMissingNode()) {
            return attributes;
        }
        if (!node.isObject() || node.size() > ServerEntry.MAX_ATTRIBUTES) {
            throw new BadInstanceException("attributes are not up to " + ServerEntry.MAX_ATTRIBUTES
                    + " texts with names, size=" + node.size());
        }
        for (Iterator<Map.Entry<String, JsonNode>> all = node.fields(); all.hasNext();) {
            Map.Entry<String, JsonNode> attribute = all.next();
            attributes.put(attribute.getKey(), text(ATTRIBUTES, attribute.getValue()));
        }
        return attributes;
    }

    private static String text(String where, JsonNode node) throws BadInstanceException {
        if (!node.isTextual()) {
            throw new BadInstanceException(where + " has what is no text: " + node);
        }
        return node.textValue();
    }
}
