package org.jvrpc.hdfs;

import java.io.IOException;
import java.net.InetAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RpcServerException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.security.authorize.ProxyUsers;

/** Decides who may log in to a NameNode, by the rules that Hadoop has for its own connections. Any thread. */
final class Gatekeeper {

    /** Longer names would make the table of logins as long as a client likes. */
    private static final int MAX_NAME_CHARS = 1024;

    private final Class<?> protocol;
    /** The one that rules of service authorization are for: that of the same name, without protobuf. */
    private final Class<?> authorized;
    private final RPC.Server server;
    private final Configuration conf;
    private final InetAddress bound;
    private final boolean authorize;

    /**
     * @param server which listens already
     * @throws IOException when there is no class of the protocol's name
     */
    Gatekeeper(Class<?> protocol, RPC.Server server, Configuration conf) throws IOException {
        this.protocol = protocol;
        try {
            this.authorized = conf.getClassByName(RPC.getProtocolName(protocol));
        } catch (ClassNotFoundException e) {
            throw new IOException("unknown protocol: " + RPC.getProtocolName(protocol), e);
        }
        this.server = server;
        this.conf = conf;
        this.bound = server.getListenerAddress().getAddress();
        this.authorize = conf.getBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, false);
    }

    Class<?> protocol() {
        return protocol;
    }

    /** @throws IOException when the client is of another protocol or version, or makes no sense */
    void checkClient(LoginRequest request) throws IOException {
        String name = RPC.getProtocolName(protocol);
        if (!name.equals(request.protocol()) || request.version() != RPC.getProtocolVersion(protocol)) {
            throw new RPC.VersionMismatch(request.protocol(), request.version(), RPC.getProtocolVersion(protocol));
        }
        if (request.clientId().length != 16) {
            throw new RpcServerException("clientId must have bytes=16, has bytes=" + request.clientId().length);
        }
        int chars = Math.max(request.user().length(), request.realUser() == null ? 0 : request.realUser().length());
        if (chars > MAX_NAME_CHARS) {
            throw new RpcServerException("a user's name has chars=" + chars + ", limit=" + MAX_NAME_CHARS);
        }
    }

    /**
     * Returns where the client is. Over a network the connection knows it. By shared memory the client is on this host,
     * and has the address that a connection of Hadoop's own would have: that of the NameNode itself. What the client
     * says is believed where such a connection would have shown it to be true, and nowhere else.
     *
     * @param known by the connection; null when it does not know
     * @throws NotServedHereException when the client looks for another NameNode, or nobody knows where it is
     */
    InetAddress host(LoginRequest request, boolean local, InetAddress known)
            throws IOException, NotServedHereException {
        if (request.server().length != 4 && request.server().length != 16) {
            throw new RpcServerException("the NameNode's address must have bytes=4 or 16, has bytes="
                    + request.server().length);
        }
        InetAddress target = Hosts.reached(InetAddress.getByAddress(request.server()));
        if (request.port() != server.getPort() || local && !Hosts.reaches(target, bound)) {
            throw new NotServedHereException("a client of the NameNode at " + target.getHostAddress() + " port="
                    + request.port() + " reached the one at " + bound.getHostAddress() + " port=" + server.getPort()
                    + ": look at " + HdfsSettings.ADDRESS);
        }
        if (!local && known == null) {
            throw new NotServedHereException("the connection does not tell where the client is, and the client's word"
                    + " is not taken for it");
        }
        return local ? target : known;
    }

    /** Returns the user with the groups known. @throws IOException when it may not call */
    UserGroupInformation admit(LoginRequest request, InetAddress host) throws IOException {
        UserGroupInformation user = user(request);
        if (user.getRealUser() != null) {
            ProxyUsers.authorize(user, host.getHostAddress());
        }
        if (authorize) {
            server.getServiceAuthorizationManager().authorize(user, authorized, conf, host);
        }
        user.getGroupsSet(); // looked up here, and not by the poller
        return user;
    }

    private static UserGroupInformation user(LoginRequest request) {
        UserGroupInformation user = request.realUser() == null
                ? UserGroupInformation.createRemoteUser(request.user())
                : UserGroupInformation.createProxyUser(
                        request.user(), UserGroupInformation.createRemoteUser(request.realUser()));
        user.setAuthenticationMethod(
                request.realUser() == null ? AuthenticationMethod.SIMPLE : AuthenticationMethod.PROXY);
        return user;
    }
}
