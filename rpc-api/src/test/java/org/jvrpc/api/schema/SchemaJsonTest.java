package org.jvrpc.api.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchemaJsonTest {

    private static final ServiceSchema SHOP = new ServiceSchema("org.acme.Shop", -2, 3, Stream.of(
            "find(long)a.Order a.Order{id:long,note@2:String?}", "stop()void oneway")
                    .map(MethodSchema::parse).toList());
    private static final String TEXT = """
            {
              "jvrpc": 1,
              "service": "org.acme.Shop",
              "fingerprint": "fffffffffffffffe",
              "objects": "0000000000000003",
              "methods": [
                ["find(long)a.Order",
                 "a.Order{id:long,note@2:String?}"],
                ["stop()void oneway"]
              ]
            }
            """;

    @TempDir
    private Path folder;

    @Test
    void aServiceIsATextAndBack() {
        assertEquals(TEXT, SchemaJson.write(SHOP));
        assertEquals(SHOP, SchemaJson.read(TEXT));
        assertEquals(SHOP, SchemaJson.read(TEXT.replace("\"jvrpc\"", "\"later\": [{\"a\\u0041\\n\": null}, true, -7],"
                + " \"jvrpc\"")));
        ServiceSchema empty = new ServiceSchema("e", 0, 0, List.of());
        assertEquals(empty, SchemaJson.read(SchemaJson.write(empty)));
    }

    private static String refused(String text) {
        return assertThrows(IllegalArgumentException.class, () -> SchemaJson.read(text), text).getMessage();
    }

    @Test
    void whatIsNoDescriptorIsRefusedWithTheReason() {
        assertEquals("not JSON: the end at offset=0", refused(""));
        assertEquals("not a JSON object", refused("[]"));
        assertEquals("not a descriptor of version 1: jvrpc=2", refused("{\"jvrpc\":2}"));
        assertEquals("no array \"methods\"", refused("{\"jvrpc\":1}"));
        assertEquals("not JSON: something behind the end at offset=3", refused("{} x"));
        assertEquals("not JSON: \"x\" before at offset=1", refused("x"));
        assertEquals("not JSON: nested deeper than 32 at offset=32", refused("[".repeat(100)));
        assertTrue(refused(TEXT.replace("find(long)", "find")).startsWith("not a signature"));
        for (int i = 0; i < TEXT.length() - 2; i++) {
            refused(TEXT.substring(0, i));
        }
    }

    @Test
    void descriptorsAreFoundInFilesFoldersAndJars() throws IOException {
        Path file = folder.resolve("classes/META-INF/jvrpc/org.acme.Shop.json");
        Files.createDirectories(file.getParent());
        Files.writeString(file, TEXT);
        Files.writeString(folder.resolve("classes/other.json"), "{}");
        assertEquals(List.of(SHOP), DescriptorFiles.read(file));
        assertEquals(List.of(SHOP), DescriptorFiles.read(folder));
        assertEquals(List.of(SHOP), DescriptorFiles.read(folder.resolve("classes")));
        assertEquals(List.of(SHOP), DescriptorFiles.read(file.getParent()));
        Path jar = folder.resolve("shop.jar");
        try (OutputStream out = Files.newOutputStream(jar); ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry("META-INF/jvrpc/org.acme.Shop.json"));
            zip.write(TEXT.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            zip.putNextEntry(new ZipEntry("x.json"));
        }
        assertEquals(List.of(SHOP), DescriptorFiles.read(jar));
    }

    private static String unread(Path place) {
        return assertThrows(IOException.class, () -> DescriptorFiles.read(place)).getMessage();
    }

    @Test
    void aPlaceWithoutDescriptorsIsNamed() throws IOException {
        assertEquals("no such file or folder: " + folder.resolve("x"), unread(folder.resolve("x")));
        assertEquals("no descriptors (META-INF/jvrpc/*.json) in " + folder, unread(folder));
        Path text = Files.writeString(folder.resolve("x.txt"), "x");
        assertTrue(unread(text).startsWith("neither a descriptor (.json) nor a jar: " + text), unread(text));
        Path json = Files.writeString(folder.resolve("x.json"), "{}");
        assertEquals("no descriptor: " + json + ": not a descriptor of version 1: jvrpc=null", unread(json));
    }
}
