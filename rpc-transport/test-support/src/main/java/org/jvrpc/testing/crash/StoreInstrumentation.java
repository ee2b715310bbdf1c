package org.jvrpc.testing.crash;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Makes a copy of classes in which {@link StorePoints#stored} is called behind every store to a byte buffer, which is
 * how all of this project's code writes shared memory, and behind every call that changes a file, a lock or a socket.
 * Where many bytes are copied at once, it is called between the two halves, too.
 */
public final class StoreInstrumentation {

    private static final String HOOK = StorePoints.class.getName().replace('.', '/');
    /** Copies of many bytes, by the descriptors of {@link java.nio.ByteBuffer}'s methods. */
    private static final Set<String> COPIES = Set.of(
            "(ILjava/nio/ByteBuffer;II)Ljava/nio/ByteBuffer;", "(I[BII)Ljava/nio/ByteBuffer;",
            "([BII)Ljava/nio/ByteBuffer;");
    private static final Set<String> ACCESS_STORES = Set.of("set", "setOpaque", "setRelease", "setVolatile");
    private static final List<String> ACCESS_UPDATES =
            List.of("compareAnd", "weakCompareAnd", "getAndSet", "getAndAdd", "getAndBitwise");
    private static final Map<String, Set<String>> EFFECTS = Map.of(
            "java/nio/file/Files", Set.of("createFile", "createDirectory", "createDirectories", "createTempFile",
                    "createTempDirectory", "delete", "deleteIfExists", "move", "write", "writeString",
                    "setPosixFilePermissions", "newByteChannel"),
            "java/nio/channels/FileChannel",
            Set.of("open", "map", "truncate", "write", "lock", "tryLock", "close"),
            "java/nio/channels/FileLock", Set.of("release", "close"),
            "java/nio/channels/SocketChannel", Set.of("open", "connect", "finishConnect", "write", "close"),
            "java/nio/channels/ServerSocketChannel", Set.of("open", "bind", "accept", "close"),
            "java/io/RandomAccessFile", Set.of("setLength", "write", "close"));

    private StoreInstrumentation() {
    }

    /**
     * Returns a class path before whose entries lies a folder with the instrumented copies.
     *
     * @param folder an empty one
     * @param packages prefixes, for instance {@code "org/jvrpc/softrnic/"}
     * @param except a prefix of classes that are left as they are: those of the test
     */
    public static String classPath(String classPath, Path folder, List<String> packages, String except) {
        int classes = 0;
        try {
            for (String entry : classPath.split(File.pathSeparator)) {
                Path path = Path.of(entry);
                if (Files.isDirectory(path)) {
                    classes += instrument(path, folder, packages, except);
                } else if (entry.endsWith(".jar") && path.getFileName().toString().startsWith("jvrpc-")) {
                    try (FileSystem jar = FileSystems.newFileSystem(path)) {
                        classes += instrument(jar.getPath("/"), folder, packages, except);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (classes == 0) {
            throw new AssertionError("no class of " + packages + " on " + classPath);
        }
        return folder + File.pathSeparator + classPath;
    }

    private static int instrument(Path root, Path folder, List<String> packages, String except) throws IOException {
        int classes = 0;
        for (String prefix : packages) {
            Path from = root.resolve(prefix);
            if (Files.isDirectory(from)) {
                try (Stream<Path> files = Files.walk(from)) {
                    for (Path file : (Iterable<Path>) files.filter(f -> f.toString().endsWith(".class"))::iterator) {
                        String name = root.relativize(file).toString();
                        Path copy = folder.resolve(name);
                        // The first on a class path is the one that counts.
                        if (!name.startsWith(except) && !Files.exists(copy)) {
                            Files.createDirectories(copy.getParent());
                            Files.write(copy, instrumented(file));
                            classes++;
                        }
                    }
                }
            }
        }
        return classes;
    }

    private static byte[] instrumented(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            ClassReader reader = new ClassReader(in);
            ClassWriter writer = new ClassWriter(reader, 0);
            reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {
                @Override
                public MethodVisitor visitMethod(
                        int access, String name, String descriptor, String signature, String[] exceptions) {
                    return new Method(super.visitMethod(access, name, descriptor, signature, exceptions));
                }
            }, 0);
            return writer.toByteArray();
        }
    }

    private static final class Method extends MethodVisitor {

        Method(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            if (isBuffer(owner) && name.equals("put") && COPIES.contains(descriptor)) {
                super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOK, "put",
                        "(Ljava/nio/ByteBuffer;" + descriptor.substring(1), false);
            } else {
                super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
            }
            if (isStore(owner, name, descriptor) || EFFECTS.getOrDefault(owner, Set.of()).contains(name)) {
                super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOK, "stored", "()V", false);
            }
        }
    }

    private static boolean isStore(String owner, String name, String descriptor) {
        if (owner.equals("java/lang/invoke/VarHandle")) {
            return descriptor.startsWith("(Ljava/nio/ByteBuffer;")
                    && (ACCESS_STORES.contains(name) || ACCESS_UPDATES.stream().anyMatch(name::startsWith));
        }
        return isBuffer(owner) && name.startsWith("put");
    }

    private static boolean isBuffer(String owner) {
        return owner.equals("java/nio/ByteBuffer") || owner.equals("java/nio/MappedByteBuffer");
    }
}
