// The rig's peer with the JavaScript library: executes each request once in the file $TORTURE_RECORD, then echoes it.
import { openSync, writeSync } from 'node:fs';
import { makePeer } from '../../peers/javascript/examples/options.mjs';

const record = openSync(process.env.TORTURE_RECORD, 'a', 0o600);

const peer = makePeer(async (request) => {
    writeSync(record, `${request.env.HTTP_X_ID}\n`);
    const line = Buffer.from(`${request.env.REQUEST_METHOD} ${request.env.PATH_INFO}\n`, 'latin1');
    return { body: Buffer.concat([line, await request.body()]) };
});
await peer.run();
