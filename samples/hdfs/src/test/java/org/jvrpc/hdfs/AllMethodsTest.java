package org.jvrpc.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.Descriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.DynamicMessage;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each method of the protocol answers the same over jvRPC as over Hadoop's own transport. */
class AllMethodsTest {

    /** Their answer is never the same twice. */
    private static final Set<String> CHANGING = Set.of("rollEdits", "getDelegationToken", "getDataEncryptionKey",
            "getFsStats", "saveNamespace", "restoreFailedStorage");

    private static MiniDFSCluster cluster;
    private static Configuration conf;

    @BeforeAll
    static void start() throws IOException {
        conf = Cluster.conf();
        cluster = Cluster.builder(conf).numDataNodes(0).build();
    }

    @AfterAll
    static void stop() {
        cluster.shutdown(true);
    }

    private static List<Method> methods() {
        List<Method> methods = new ArrayList<>();
        for (Method method : ClientNamenodeProtocol.BlockingInterface.class.getMethods()) {
            Class<?>[] parameters = method.getParameterTypes();
            if (parameters.length == 2 && parameters[0] == RpcController.class) {
                methods.add(method);
            }
        }
        methods.sort(java.util.Comparator.comparing(Method::getName));
        return methods;
    }

    /** Makes the least request that a method takes: what is required, and that with nothing in it. */
    private static Message request(Method method) throws ReflectiveOperationException, IOException {
        Message empty = (Message) method.getParameterTypes()[1].getMethod("getDefaultInstance").invoke(null);
        return empty.getParserForType().parseFrom(least(empty.getDescriptorForType()).toByteString());
    }

    private static Message least(Descriptor type) {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
        for (FieldDescriptor field : type.getFields()) {
            if (field.isRequired()) {
                message.setField(field, switch (field.getJavaType()) {
                    case MESSAGE -> least(field.getMessageType());
                    case STRING -> "/none";
                    default -> field.getDefaultValue();
                });
            }
        }
        return message.build();
    }

    private static String outcome(ClientNamenodeProtocolPB proxy, Method method) throws Exception {
        try {
            return method.invoke(proxy, null, request(method)).toString();
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause().getCause();
            return cause instanceof RemoteException remote
                    ? remote.getClassName() + ": " + remote.getMessage().lines().findFirst().orElse("") + ' '
                            + remote.getErrorCode()
                    : cause.toString();
        }
    }

    @Test
    void everyMethodAnswersTheSame() throws Exception {
        InetSocketAddress nameNode = cluster.getNameNode().getNameNodeAddress();
        UserGroupInformation user = UserGroupInformation.getCurrentUser();
        ClientNamenodeProtocolPB stock = Proxies.stock(nameNode, user, conf);
        ClientNamenodeProtocolPB jvrpc = Proxies.jvrpc(nameNode, user, conf);
        List<String> differences = new ArrayList<>();
        List<Method> methods = methods();
        for (Method method : methods) {
            outcome(stock, method); // what can be done once only is done now, and the next two find the same
            String byStock = outcome(stock, method);
            String byJvrpc = outcome(jvrpc, method);
            if (!byStock.equals(byJvrpc) && !CHANGING.contains(method.getName())) {
                differences.add(method.getName() + "\n  stock: " + byStock + "\n  jvrpc: " + byJvrpc);
            }
        }
        assertTrue(methods.size() > 100, "methods=" + methods.size());
        assertEquals("", String.join("\n", differences));
    }
}
