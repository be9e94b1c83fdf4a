package org.lrwp.webapp.config;

import org.lrwp.engine.identity.CertificatePattern;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.KeyTable;

import java.util.List;

/** The keys of operators; the family of each is {@code operator.NAME}. */
final class OperatorKeys {
    private static final KeyTable TABLE = new KeyTable();

    static final Key<List<CertificatePattern>> CERTIFICATE =
            TABLE.key("operator.*.certificate", ProxyValueTypes.CERTIFICATES, "")
                    .live(
                            "Which client certificates are this operator's, who acts on `/-/`"
                                    + " without a token: by the common name of the subject, a URI"
                                    + " among the alternative names, or their hash. Needs"
                                    + " `https.client-certificates`.");

    private OperatorKeys() {}

    static List<Key<?>> all() {
        return TABLE.all();
    }
}
