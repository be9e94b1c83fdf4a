// Fails in the ways that a handler can: the client gets 500, and the log says why.
import { makePeer } from './options.mjs';

const injected = 'a\r\nSet-Cookie: stolen=1';
const answers = {
    '/value': { body: 'x', headers: { 'X-Value': injected } },
    '/wide': { body: 'x', headers: { 'X-Value': 'a\u010d\u010aSet-Cookie: stolen=1' } },
    '/nul': { body: 'x', headers: { 'X-Value': 'a\0b' } },
    '/name': { body: 'x', headers: { 'X Value': 'a' } },
    '/type': { body: 'x', type: injected },
    '/object': { answer: 'x' },
};
const peer = makePeer(async (request) => {
    if (request.env.PATH_INFO === '/throw') {
        throw new Error('thrown by the handler');
    }
    return answers[request.env.PATH_INFO] ?? 'fine\n';
});
await peer.run();
