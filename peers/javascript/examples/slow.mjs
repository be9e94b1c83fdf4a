// Work of ten seconds, given up when nobody waits for its end any more.
import { setTimeout as pause } from 'node:timers/promises';
import { makePeer } from './options.mjs';

const peer = makePeer(async (request) => {
    console.log('began');
    request.signal.addEventListener('abort', () => console.log('cancelled'));
    await pause(10_000, undefined, { signal: request.signal });
    return 'done\n';
});
await peer.run();
