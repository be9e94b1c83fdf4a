// Leaves in order: after SIGTERM open requests (of one second) are answered, new ones go elsewhere, then it ends.
import { setTimeout as pause } from 'node:timers/promises';
import { makePeer } from './options.mjs';

const peer = makePeer(async () => {
    console.log('began');
    await pause(1000);
    return 'done\n';
});
process.on('SIGTERM', () => peer.drain());
await peer.run();
console.log('drained');
