package org.jvrpc.hdfs;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jvrpc.runtime.RpcClient;

/** A connection to a NameNode, and who has logged in there. It is never connected again. Any thread. */
final class ServerConnection {

    /** Who logs in, and to which NameNode. */
    record User(
            String protocol, long version, String name, String realName, List<Byte> clientId, String server, int port) {
    }

    /** What is known after logging in. */
    static final class Login {

        private final long number;
        private final Map<String, Integer> methods = new HashMap<>();
        private final boolean[] light;
        private final int maxRequestBytes;

        Login(LoginReply reply) {
            this.number = reply.login();
            this.light = reply.light();
            this.maxRequestBytes = reply.maxRequestBytes();
            List<String> names = reply.methods();
            for (int i = 0; i < names.size(); i++) {
                methods.put(names.get(i), i);
            }
        }

        long number() {
            return number;
        }

        /** Returns the number of a method; null when the NameNode does not have it. */
        Integer method(String name) {
            return methods.get(name);
        }

        boolean isLight(int method) {
            return light[method];
        }

        int maxRequestBytes() {
            return maxRequestBytes;
        }
    }

    private final String address;
    private final RpcClient client;
    private final NameNodeCalls calls;
    private final Map<User, Login> logins = new ConcurrentHashMap<>();

    ServerConnection(String address, RpcClient client) {
        this.address = address;
        this.client = client;
        this.calls = client.stub(NameNodeCalls.class);
    }

    String address() {
        return address;
    }

    NameNodeCalls calls() {
        return calls;
    }

    boolean isConnected() {
        return client.isConnected();
    }

    /** Returns the login of a user; null when it has none. */
    Login login(User user) {
        return logins.get(user);
    }

    void keep(User user, Login login) {
        logins.put(user, login);
    }

    /** Forgets a login, unless another thread has renewed it. */
    void forget(User user, Login login) {
        logins.remove(user, login);
    }

    void close() {
        client.close();
    }
}
