package org.lrwp.osp.testkit;

import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.Sender;
import org.lrwp.osp.usage.UsageRecord;

import java.time.Instant;

/** Usage records for tests. */
public final class Usages {
    private Usages() {}

    /** One that differs from others by its transaction, role and component id. */
    public static UsageRecord of(String transaction, String role, String component, Instant at) {
        return UsageRecord.of(
                Element.of(
                                "UsageIndication",
                                Element.leaf("Role", role),
                                Element.leaf("TransactionId", transaction),
                                Element.leaf("CallId", "MQ==").with("encoding", "base64"),
                                Element.leaf("SourceInfo", "555").with("type", "e164"),
                                Element.leaf("DestinationInfo", "1678").with("type", "e164"),
                                Element.leaf("DestinationAlternate", "[10.0.0.1]")
                                        .with("type", "transport"),
                                Element.of(
                                        "UsageDetail",
                                        Element.leaf("Amount", "30.5"),
                                        Element.leaf("Increment", "2"),
                                        Element.leaf("Unit", "s")))
                        .with("componentId", component),
                Sender.LOCAL,
                at);
    }
}
