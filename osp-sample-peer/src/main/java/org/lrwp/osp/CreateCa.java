package org.lrwp.osp;

import org.lrwp.osp.token.IdentityException;
import org.lrwp.osp.token.IdentityFiles;
import org.lrwp.osp.token.IdentityGenerator;
import org.lrwp.osp.token.KeyKind;
import org.lrwp.runtime.BadOptionException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.Callable;

/** Makes the authority's key and certificate before the first start. For picocli. */
@Command(
        name = "create-ca",
        mixinStandardHelpOptions = true,
        description = "Makes the key that signs tokens and gateways' certificates.")
final class CreateCa implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private DataFolder data = new DataFolder();

    @Option(names = "--kind", paramLabel = "KIND", description = "rsa or ecdsa. Default: rsa")
    private String kind = "rsa";

    CreateCa() {}

    @Override
    public Integer call() throws BadOptionException {
        KeyKind wanted;
        try {
            wanted = KeyKind.valueOf(kind.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException neither) {
            throw new BadOptionException("--kind: '" + kind + "' is neither rsa nor ecdsa");
        }
        Path folder = data.path().resolve(ServerKeys.FOLDER);
        try {
            IdentityFiles.write(
                    new IdentityGenerator(InstantSource.system()).generate(wanted), folder);
        } catch (IdentityException failed) {
            throw new BadOptionException(String.valueOf(failed.getMessage()));
        }
        spec.commandLine()
                .getOut()
                .println(
                        "key: "
                                + folder.resolve(IdentityFiles.KEY_FILE)
                                + "\ncertificate for the gateways: "
                                + folder.resolve(IdentityFiles.CERTIFICATE_FILE));
        return 0;
    }
}
