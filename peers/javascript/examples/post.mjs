// Takes an XML message by POST, as an OSP server does, and answers a small one with the same ids.
import { makePeer } from './options.mjs';

const peer = makePeer(async (request) => {
    if (request.env.REQUEST_METHOD !== 'POST') {
        return { status: '405 Method Not Allowed', headers: { Allow: 'POST' }, body: 'POST only\n' };
    }
    const xml = (await request.body(100_000)).toString();
    const message = /<Message\s[^>]*messageId="([\w.-]{1,40})"/.exec(xml);
    const wanted = /<AuthorizationRequest\s[^>]*componentId="([\w.-]{1,40})"/.exec(xml);
    if (!message || !wanted) {
        return { status: '400 Bad Request', body: 'no AuthorizationRequest\n' };
    }
    const answer = `<?xml version="1.0"?>
<Message messageId="${message[1]}"><AuthorizationResponse componentId="${wanted[1]}">\
<Status><Code>200</Code></Status></AuthorizationResponse></Message>
`;
    return { type: 'text/xml', body: answer };
});
await peer.run();
