// Answers each request with its method, its path and its body.
import { makePeer } from './options.mjs';

const peer = makePeer(async (request) => {
    const line = Buffer.from(`${request.env.REQUEST_METHOD} ${request.env.PATH_INFO}\n`, 'latin1');
    return { body: Buffer.concat([line, await request.body()]), headers: { 'X-Peer': 'javascript' } };
});
await peer.run();
