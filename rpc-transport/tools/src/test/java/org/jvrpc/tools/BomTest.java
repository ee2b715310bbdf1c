package org.jvrpc.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** What an import of the bill of materials brings. */
class BomTest {

    private static Document pom(String folder) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(Path.of(System.getProperty("jvrpc.root"), folder, "pom.xml").toFile());
    }

    private static List<Element> children(Element parent, String name) {
        List<Element> found = new ArrayList<>();
        NodeList nodes = parent.getChildNodes();
        for (int i = 0; i < nodes.getLength(); i++) {
            Node node = nodes.item(i);
            if (node.getNodeName().equals(name)) {
                found.add((Element) node);
            }
        }
        return found;
    }

    private static String text(Element parent, String name) {
        List<Element> found = children(parent, name);
        return found.isEmpty() ? "" : found.get(0).getTextContent().trim();
    }

    @Test
    void importsNothingButTheModules() throws Exception {
        Element bom = pom("rpc-transport/bom").getDocumentElement();
        assertTrue(children(bom, "parent").isEmpty(), "a parent hands its own dependencyManagement on");
        NodeList managed = bom.getElementsByTagName("dependency");
        TreeSet<String> names = new TreeSet<>();
        for (int i = 0; i < managed.getLength(); i++) {
            Element dependency = (Element) managed.item(i);
            assertEquals("org.jvrpc", text(dependency, "groupId"));
            names.add(text(dependency, "artifactId"));
        }
        TreeSet<String> modules = new TreeSet<>();
        List<String> folders = new ArrayList<>(List.of("rpc-api", "rpc-codegen"));
        for (String group : List.of("rpc-transport", "rpc-integrations")) {
            NodeList members = pom(group).getElementsByTagName("module");
            for (int i = 0; i < members.getLength(); i++) {
                folders.add(group + "/" + members.item(i).getTextContent());
            }
        }
        for (String folder : folders) {
            String name = text(pom(folder).getDocumentElement(), "artifactId");
            if (!List.of("jvrpc-bom", "jvrpc-test-support", "jvrpc-interleavings").contains(name)) {
                modules.add(name);
            }
        }
        assertEquals(modules, names);
    }

    @Test
    void hasTheVersionOfTheModules() throws Exception {
        assertEquals(text(pom(".").getDocumentElement(), "version"),
                text(pom("rpc-transport/bom").getDocumentElement(), "version"));
    }
}
