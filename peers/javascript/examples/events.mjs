// Server-sent events: ten, one each half second.
import { setTimeout as pause } from 'node:timers/promises';
import { makePeer } from './options.mjs';

const peer = makePeer(async (request) => {
    request.start({ type: 'text/event-stream', headers: { 'Cache-Control': 'no-store' } });
    try {
        for (let number = 1; number <= 10; number++) {
            console.log(`event ${number}`);
            await request.write(`id: ${number}\ndata: tick ${number}\n\n`);
            if (number < 10) {
                await pause(500, undefined, { signal: request.signal });
            }
        }
    } catch (error) {
        console.log('cancelled');
        throw error;
    }
});
await peer.run();
