package org.lrwp.osp;

import org.lrwp.osp.token.IdentityException;
import org.lrwp.osp.token.IdentityFiles;
import org.lrwp.osp.token.IdentityGenerator;
import org.lrwp.osp.token.IdentitySource;
import org.lrwp.osp.token.KeyKind;
import org.lrwp.runtime.BadOptionException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.Callable;

/** Makes the keys of the server and their certificates before the first start. For picocli. */
@Command(
        name = "create-keys",
        mixinStandardHelpOptions = true,
        description =
                "Makes the key that signs tokens, and the one that issues gateways' certificates.")
final class CreateKeys implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private DataFolder data = new DataFolder();

    @Option(names = "--kind", paramLabel = "KIND", description = "rsa or ecdsa. Default: rsa")
    private String kind = "rsa";

    CreateKeys() {}

    @Override
    public Integer call() throws BadOptionException {
        KeyKind wanted;
        try {
            wanted = KeyKind.valueOf(kind.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException neither) {
            throw new BadOptionException("--kind: '" + kind + "' is neither rsa nor ecdsa");
        }
        IdentityGenerator generator = new IdentityGenerator(InstantSource.system());
        IdentitySource.Pem tokens = ServerKeys.tokens(data.path());
        IdentitySource.Pem authority = ServerKeys.authority(data.path());
        try {
            IdentityFiles.write(generator.generate(wanted), tokens);
            IdentityFiles.write(generator.generateAuthority(wanted), authority);
        } catch (IdentityException failed) {
            throw new BadOptionException(String.valueOf(failed.getMessage()));
        }
        spec.commandLine()
                .getOut()
                .println(
                        "key of the tokens: "
                                + tokens.key()
                                + "\ncertificate of the tokens, which gateways trust: "
                                + tokens.certificate()
                                + "\nkey that issues certificates for gateways: "
                                + authority.key()
                                + "\nits certificate: "
                                + authority.certificate());
        return 0;
    }
}
