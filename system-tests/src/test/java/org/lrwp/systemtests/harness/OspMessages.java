package org.lrwp.systemtests.harness;

/** What gateways send. */
public final class OspMessages {
    private OspMessages() {}

    /** A gateway asks where a call may go. */
    public static String authorisation(int call, String called) {
        return """
        <?xml version="1.0"?><Message messageId="%1$d1" random="%1$d">
        <AuthorizationRequest componentId="%1$d0"><CallId encoding="base64">MQ==</CallId>
        <SourceInfo type="e164">14048724799</SourceInfo>
        <SourceAlternate type="transport">[127.0.0.10]</SourceAlternate>
        <DestinationInfo type="e164">%2$s</DestinationInfo><Service/>
        <MaximumDestinations>1</MaximumDestinations></AuthorizationRequest></Message>
        """
                .formatted(call, called);
    }

    /** A gateway at the other end shows the token of a call. */
    public static String indication(int number, String token) {
        return """
        <?xml version="1.0"?><Message messageId="%1$d4" random="%1$d">
        <AuthorizationIndication componentId="%1$d5"><Role>destination</Role>
        <CallId encoding="base64">MQ==</CallId>
        <SourceInfo type="e164">14048724799</SourceInfo>
        <DestinationInfo type="e164">1678</DestinationInfo>
        <Token encoding="base64">%2$s</Token></AuthorizationIndication></Message>
        """
                .formatted(number, token);
    }

    /** A side reports a call. */
    public static String usage(int call, String transaction, String role) {
        return """
        <?xml version="1.0"?><Message messageId="%1$d3" random="%1$d">
        <UsageIndication componentId="%1$d2"><Role>%3$s</Role>
        <TransactionId>%2$s</TransactionId><CallId encoding="base64">MQ==</CallId>
        <SourceInfo type="e164">14048724799</SourceInfo>
        <DestinationInfo type="e164">1678</DestinationInfo>
        <DestinationAlternate type="transport">[1.1.1.1]:5060</DestinationAlternate>
        <UsageDetail><Amount>30</Amount><Increment>1</Increment><Unit>s</Unit></UsageDetail>
        </UsageIndication></Message>
        """
                .formatted(call, transaction, role);
    }
}
