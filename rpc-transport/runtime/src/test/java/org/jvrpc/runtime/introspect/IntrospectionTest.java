package org.jvrpc.runtime.introspect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.admin.Admin;
import org.jvrpc.api.admin.SessionInfo;
import org.jvrpc.api.admin.Setting;
import org.jvrpc.api.auth.Authorizer;
import org.jvrpc.api.reflection.MethodTraits;
import org.jvrpc.api.reflection.Reflection;
import org.jvrpc.api.reflection.ReflectionService;
import org.jvrpc.api.reflection.ServiceDescription;
import org.jvrpc.api.schema.SchemaJson;
import org.jvrpc.api.schema.ServiceSchema;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Third;

/** What servers tell of themselves, where they were made to. */
class IntrospectionTest {

    private static final String THIRD = "third";
    private static final String HEALTH = "org.jvrpc.api.health.Health";

    private static RpcServer serve(UnaryOperator<RpcServer.Builder> settings) {
        return settings.apply(RpcServer.builder().bind(ShmFolder.address()).service(Third.class, sent -> 3)).start();
    }

    @Test
    void aServerTellsWhatItHas() {
        try (RpcServer server = serve(builder -> builder.reflection(true));
             RpcClient client = RpcClient.connect(server.address())) {
            Reflection reflection = client.stub(Reflection.class);
            assertEquals(Set.of(THIRD, HEALTH, new ReflectionService().name()),
                    Set.copyOf(reflection.services()));
            ServiceDescriptor<Third> third = ServiceDescriptor.of(Third.class);
            ServiceDescription told = reflection.describe(third.name());
            assertEquals(ServiceSchema.of(third), SchemaJson.read(told.descriptor()));
            assertEquals(third.methods().stream().map(method -> method.heavy()).toList(),
                    told.methods().stream().map(MethodTraits::heavy).toList());
        }
    }

    @Test
    void aServiceThatIsNotThereIsNotFound() {
        try (RpcServer server = serve(builder -> builder.reflection(true));
             RpcClient client = RpcClient.connect(server.address())) {
            RpcException e = assertThrows(RpcException.class,
                    () -> client.stub(Reflection.class).describe("org.acme.Lost"));
            assertEquals(Status.NOT_FOUND, e.status());
            assertTrue(e.getMessage().contains("org.acme.Lost") && e.getMessage().contains(THIRD),
                    e.getMessage());
        }
    }

    @Test
    void nobodyIsToldWhereTheServerWasNotMadeTo() {
        try (RpcServer server = serve(builder -> builder); RpcClient client = RpcClient.connect(server.address())) {
            for (Class<?> service : List.of(Reflection.class, Admin.class)) {
                assertEquals(Status.UNIMPLEMENTED,
                        assertThrows(RpcException.class, () -> client.stub(service)).status(), service.getName());
            }
        }
    }

    @Test
    void anAuthorizerDecidesWhoIsTold() {
        Authorizer only = (who, access) ->
                access.service() == null || access.service().equals(THIRD) ? null : "not yours";
        try (RpcServer server = serve(builder -> builder.reflection(true).admin(true).authorizer(only));
             RpcClient client = RpcClient.connect(server.address())) {
            assertEquals(3, client.stub(Third.class).sum(0));
            for (Class<?> service : List.of(Reflection.class, Admin.class)) {
                assertEquals(Status.PERMISSION_DENIED,
                        assertThrows(RpcException.class, () -> client.stub(service)).status(), service.getName());
            }
        }
    }

    @Test
    void sessionsAreThoseThatAreOpen() {
        try (RpcServer server = serve(builder -> builder.admin(true).pollers(2));
             RpcClient client = RpcClient.connect(server.address())) {
            Admin admin = client.stub(Admin.class);
            try (RpcClient other = RpcClient.connect(server.address())) {
                assertEquals(3, other.stub(Third.class).sum(0));
                Await.until("two sessions", () -> admin.sessions().size() == 2);
            }
            Await.until("one session", () -> admin.sessions().size() == 1);
            SessionInfo own = admin.sessions().get(0);
            assertEquals(1, own.openCalls()); // the one that asks
            assertEquals(null, own.peer());
            assertTrue(own.principal().contains(System.getProperty("user.name")) || own.principal().contains("user"),
                    own.principal());
        }
    }

    @Test
    void settingsAreThoseThatTheServerWasMadeWith() {
        try (RpcServer server = serve(builder -> builder.admin(true).pollers(2).queuedCalls(77));
             RpcClient client = RpcClient.connect(server.address())) {
            Map<String, String> settings = client.stub(Admin.class).settings().stream()
                    .collect(Collectors.toMap(Setting::name, Setting::value));
            assertEquals("2", settings.get("pollers"));
            assertEquals("77", settings.get("queuedCalls"));
            assertEquals("1000", settings.get("limits.maxSessions"));
            assertEquals(server.address(), settings.get("bind"));
        }
    }
}
