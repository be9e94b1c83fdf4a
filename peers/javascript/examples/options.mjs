// The command line that all examples share.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Peer } from '../lrwp.mjs';

export function makePeer(handler, more = {}) {
    const { values } = parseArgs({
        options: {
            proxy: { type: 'string' },
            context: { type: 'string', multiple: true },
            concurrency: { type: 'string', default: '8' },
            'secret-file': { type: 'string' },
        },
    });
    if (!values.proxy || !values.context) {
        console.error('--proxy HOST:PORT --context NAME [--concurrency N] [--secret-file F]');
        process.exit(2);
    }
    const secretFile = values['secret-file'];
    return new Peer({
        proxy: values.proxy,
        contexts: values.context,
        concurrency: Number(values.concurrency),
        secret: secretFile ? readFileSync(secretFile, 'latin1').replace(/[\r\n]+$/, '') : '',
        log: (line) => console.log(line), // to standard output: a script can wait for "registered"
        ...more,
    }, handler);
}
